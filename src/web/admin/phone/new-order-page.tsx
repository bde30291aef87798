import { useContext, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { addressRulesOf } from '#contract/market/address-rules.ts';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import { pounds } from '#contract/market/money.ts';
import type { PhoneOrderInput } from '#contract/phone/phone.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { AddProduct } from '#web/admin/orders/add-product.tsx';
import { UnsavedGuard } from '#web/admin/unsaved-guard.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Radio } from '#web/ui/form/radio.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { FindCustomer } from './find-customer.tsx';
import { NewLines } from './new-lines.tsx';
import { bodyOf, checkOrder, emptyOrder, FIELD_NAMES, type NewOrder } from './new-order.ts';
import { QuotePanel } from './quote-panel.tsx';
import { useQuote } from './use-quote.ts';

const PAIRS = 'grid items-start gap-4 sm:grid-cols-2';
const PAYMENTS = [
  ['cash', 'Cash on delivery', ''],
  ['link', 'Payment link by email', 'The customer has 48 hours to pay. We keep the pieces until then.'],
] as const;

function useNewOrder() {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  // One key for as long as the page is open, so that a second try after a lost answer makes no second order.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const values = useFields(emptyOrder(market));
  const { quote, error: quoteError, isFresh, ask: askForQuote } = useQuote(values.fields);
  const [placed, setPlaced] = useState('');
  // In an effect, since by then `isUnsaved` is false and the guard does not ask.
  useEffect(() => {
    if (placed) void navigate(`/admin/orderdetails/${placed}`, { replace: true });
  }, [placed, navigate]);
  const form = useForm<NewOrder, PhoneOrderInput>({
    ...values,
    schema: async () => (await import('#contract/phone/phone.schema.ts')).PhoneOrderBody,
    body: (fields) => bodyOf(fields, quote?.totalPrice ?? 0),
    names: FIELD_NAMES,
    check: checkOrder(market),
    async send(body) {
      if (!isFresh) return { message: quoteError || 'The total is being worked out. Please try again in a moment.' };
      try {
        setPlaced((await dispatch(request('POST /api/office/orders', { body, idempotencyKey })))._id);
      } catch (refusal) {
        // A price or the stock may have changed.
        askForQuote();
        throw refusal;
      }
      return undefined;
    },
  });
  return { form, quote, quoteError, isFresh, isUnsaved: values.fields.lines.length > 0 && !placed };
}

/** Takes an order from a customer on the phone. */
export function Component() {
  const market = useContext(MarketContext);
  const { labels, countries = COUNTRY_NAMES } = market;
  const { needsState, zipHint } = addressRulesOf(market);
  const { form, quote, quoteError, isFresh, isUnsaved } = useNewOrder();
  const { bind, fields, change, errors } = form;
  const isQuoting = fields.lines.length > 0 && !isFresh && !quoteError;
  const noAutoComplete = { autoComplete: 'off' };
  return (
    <AdminFrame title="New order" changes="change orders" back="/admin/orderlist">
      <UnsavedGuard isChanged={isUnsaved} />
      <Form form={form} marksRequired>
        <div className="grid max-w-6xl items-start gap-6 lg:grid-cols-[1fr_24rem]">
          <div className="grid gap-6">
            <Panel title="Customer" className="gap-4">
              <FindCustomer onFound={change} />
              <div className={PAIRS}>
                <Field
                  label="Email"
                  type="email"
                  inputMode="email"
                  required
                  hint="All emails about the order go here."
                  {...noAutoComplete}
                  {...bind('email')}
                />
                <Field label="Full name" required {...noAutoComplete} {...bind('fullName')} />
                <Field label="Phone" type="tel" inputMode="tel" required {...noAutoComplete} {...bind('phone')} />
              </div>
            </Panel>
            <Panel title="Pieces" className="gap-4">
              <NewLines lines={fields.lines} errors={errors} onChange={(lines) => change({ lines })} />
              <AddProduct
                onAdd={({ _id: product, name }) =>
                  change({ lines: [...fields.lines, { product, name, qty: 1, size: null, color: null, price: '', reason: '' }] })
                }
              />
              <Field label="Discount code" {...noAutoComplete} {...bind('code')} />
            </Panel>
            <Panel title="Shipping address" className="gap-4">
              <Field label="Address line 1" required {...noAutoComplete} {...bind('line1')} />
              <Field label="Address line 2" {...noAutoComplete} {...bind('line2')} />
              <div className={PAIRS}>
                <Field label="City" required {...noAutoComplete} {...bind('city')} />
                <Field label={labels.state} required={needsState(fields.country)} {...noAutoComplete} {...bind('state')} />
                <Select label="Country" required options={countries} {...noAutoComplete} {...bind('country')} />
                <Field label={labels.zip} required hint={zipHint(fields.country)} {...noAutoComplete} {...bind('postalCode')} />
              </div>
              <Field label="Note for the driver" {...noAutoComplete} {...bind('deliveryNote')} />
            </Panel>
          </div>
          <div className="lg:sticky lg:top-30">
            <QuotePanel fields={fields} quote={quote} error={quoteError} onChange={change}>
              <fieldset>
                <legend className="legend">Payment</legend>
                {PAYMENTS.map(([value, label, hint]) => (
                  <Radio
                    key={value}
                    name="payment"
                    value={value}
                    chosen={fields.payment}
                    onChoose={(payment) => change({ payment })}
                    className="flex min-h-target items-center gap-3 py-1.5"
                  >
                    <span>
                      {label}
                      {hint && <span className="block text-sm text-soft">{hint}</span>}
                    </span>
                  </Radio>
                ))}
              </fieldset>
              <Button type="submit" pending={form.pending || isQuoting}>
                {quote && isFresh ? `Place the order, ${pounds(quote.totalPrice)}` : 'Place the order'}
              </Button>
            </QuotePanel>
          </div>
        </div>
      </Form>
    </AdminFrame>
  );
}
