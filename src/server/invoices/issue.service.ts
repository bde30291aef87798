import { sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import type { InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import {
  creditOfEach,
  type InvoiceKind,
  numberText,
  type RateSum,
  ratesOf,
  rateText,
  type VatRate,
  vatOfEach,
} from '#contract/invoices/vat.ts';
import { apportion } from '#contract/market/apportion.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { listInvoices } from './read.service.ts';

/** An invoice without its number. */
interface Draft {
  orderId: string;
  kind: InvoiceKind;
  corrects?: string;
  lines: TaxedLine[];
  content: Omit<InvoiceContent, 'lines'>;
}

type TaxedLine = InvoiceContent['lines'][number] & { rate: VatRate | null };

const sumOf = (lines: TaxedLine[], part: 'net' | 'vat' | 'gross'): Pence => lines.reduce((sum, line) => sum + line[part], 0);

/** Sums by rate, the highest rate first. */
function sumsByRate(lines: TaxedLine[]): RateSum[] {
  const rates = [...new Set(lines.flatMap(({ rate }) => rate ?? []))].sort((one, other) => other - one);
  return rates.map((rate) => {
    const own = lines.filter((line) => line.rate === rate);
    return { rate, net: sumOf(own, 'net'), vat: sumOf(own, 'vat'), gross: sumOf(own, 'gross') };
  });
}

/**
 * Stores a document under the next number of its kind. Numbering locks the counter's row until commit: call it late. A rollback leaves no
 * gap. The time is read under that lock too, so later numbers have later times.
 */
async function store(tx: Tx, { orderId, kind, corrects, lines, content }: Draft): Promise<InvoiceSummary> {
  const [id, net, vat, gross] = [newId(), sumOf(lines, 'net'), sumOf(lines, 'vat'), sumOf(lines, 'gross')];
  const rates = sumsByRate(lines);
  const vatRate = rates[0]?.rate ?? null;
  const vatRates = rates.length > 1 ? JSON.stringify(rates) : null;
  const whole: InvoiceContent = { ...content, lines: lines.map(({ rate: _, ...line }) => line) };
  const { rows } = await sql<{ number: number; issuedAt: string }>`
    with counted as (
      insert into document_numbers (kind, last) values (${kind}, 1)
      on conflict (kind) do update set last = document_numbers.last + 1 returning last
    )
    insert into invoices (id, order_id, kind, number, corrects, vat_rate, vat_rates, net, vat, gross, content, issued_at)
    select ${id}::uuid, ${orderId}::uuid, ${kind}, last, ${corrects ?? null}::uuid, ${vatRate}::int, ${vatRates}::jsonb, ${net}, ${vat}, ${gross},
      ${JSON.stringify(whole)}::jsonb, clock_timestamp() from counted
    returning number, issued_at`.execute(tx);
  const [{ number, issuedAt } = { number: 0, issuedAt: '' }] = rows;
  return { _id: id, kind, number: numberText(kind, number), issuedAt, vatRate, rates, net, vat, gross };
}

interface Priced {
  name: string;
  details: string;
  qty: number;
  price: Pence;
  /** Discount on the whole line. */
  discount?: Pence;
  rate: VatRate | null;
}

const grossOf = ({ price, qty, discount = 0 }: Priced): Pence => price * qty - discount;

/** Adds the VAT contained in the prices. `before`: pence already credited at each rate, so that rounding stays consistent. */
function linesOf(priced: Priced[], before?: ReadonlyMap<VatRate, Pence>): TaxedLine[] {
  const amounts = priced.map((line) => ({ gross: grossOf(line), rate: line.rate }));
  const vats = vatOfEach(amounts, before);
  return priced.map(({ discount: _, ...line }, index) => {
    const [gross, vat] = [amounts[index]?.gross ?? 0, vats[index] ?? 0];
    return { ...line, net: gross - vat, vat, gross };
  });
}

/** Adds the rate to the details of each line of a document with several, as the law asks. */
function withRates(priced: Priced[]): Priced[] {
  if (new Set(priced.map(({ rate }) => rate)).size < 2) return priced;
  return priced.map((line) => ({ ...line, details: [line.details, `VAT ${rateText(line.rate ?? 0)}`].filter(Boolean).join(', ') }));
}

/** The delivery of goods bears their VAT: its price is divided among their rates, by what was paid for them. Free goods weigh what they would have cost. */
function deliveryOf(pieces: Priced[], price: Pence): Priced[] {
  const rates = [...new Set(pieces.map(({ rate }) => rate))];
  const isFree = pieces.every((line) => grossOf(line) === 0);
  const weightOf = (line: Priced) => (isFree ? line.price * line.qty : grossOf(line));
  const weights = rates.map((rate) => pieces.reduce((sum, line) => sum + (line.rate === rate ? weightOf(line) : 0), 0));
  const shares = apportion(price, weights);
  return rates.flatMap((rate, index) => (shares[index] ? { name: 'Delivery', details: '', qty: 1, price: shares[index], rate } : []));
}

function findOrder(tx: Tx, orderId: string) {
  return tx
    .selectFrom('orders')
    .select(['reference', 'createdAt', 'paymentMethod', 'fullName', 'userName', 'shippingPrice'])
    .select(['line1', 'line2', 'city', 'state', 'postalCode', 'country'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

const findItems = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('orderItems')
    .select(['name', 'size', 'color', 'colourName', 'qty', 'price', 'discount', 'vatRate'])
    .where('orderId', '=', orderId)
    .orderBy('position')
    .execute();

/**
 * Issues the invoice of a newly placed or card-paid order, once. Its content is stored, so later changes to settings, products or addresses
 * do not alter it.
 */
export async function issueInvoice(tx: Tx, { company, vat }: Pick<Config, 'company' | 'vat'>, orderId: string): Promise<InvoiceSummary> {
  const [issued] = await listInvoices(tx, orderId);
  if (issued) return issued;
  const [order, items] = [await findOrder(tx, orderId), await findItems(tx, orderId)];
  const { fullName, userName, line1, line2, city, state, postalCode, country, shippingPrice } = order;
  // Lines of earlier versions have no rate of their own.
  const pieces = items.map(({ name, size, color, colourName, qty, price, discount, vatRate }) => ({
    name,
    details: [size, colourNameOf(color, colourName), discount > 0 && `less ${pounds(discount)} discount`].filter(Boolean).join(', '),
    qty,
    price,
    ...(discount > 0 && { discount }),
    rate: vat ? (vatRate ?? vat.rates.standard) : null,
  }));
  const content = {
    seller: {
      name: company.name,
      number: company.number,
      office: company.office,
      email: company.email,
      logo: company.logo,
      vatNumber: vat?.number ?? '',
    },
    buyer: { name: fullName || userName, address: [line1, line2, city, state, postalCode, country].filter(Boolean) },
    order: { reference: order.reference, placedAt: order.createdAt, paymentMethod: order.paymentMethod },
    reason: '',
    corrects: null,
  };
  return store(tx, { orderId, kind: 'invoice', lines: linesOf(withRates([...pieces, ...deliveryOf(pieces, shippingPrice)])), content });
}

interface Credit {
  vatRate: VatRate | null;
  vatRates: RateSum[] | null;
  net: Pence;
  vat: Pence;
  gross: Pence;
}

/** An order's invoice with its credit notes, the pence due back (`back`), and the price of the pieces that are off the order, by rate (`off`). */
async function findCredit(tx: Tx, orderId: string) {
  const { rows } = await sql<
    Credit & {
      id: string;
      number: number;
      issuedAt: string;
      content: InvoiceContent;
      credits: Credit[];
      back: number;
      off: { rate: VatRate | null; price: Pence }[];
    }
  >`
    select invoice.id, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.vat_rates, invoice.net, invoice.vat, invoice.gross, invoice.content,
      (select coalesce(json_agg(json_build_object('vatRate', vat_rate, 'vatRates', vat_rates, 'net', net, 'vat', vat, 'gross', gross)), '[]')
        from invoices credit where credit.corrects = invoice.id) as credits,
      orders.waived_price + (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'done') as back,
      (select json_agg(json_build_object('rate', vat_rate,
        'price', worth_of(price, qty, discount, least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty)))))
        from order_items item where item.order_id = orders.id) as off
    from invoices invoice join orders on orders.id = invoice.order_id
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice'`.execute(tx);
  return rows[0];
}

/**
 * Credits the part of a locked order that was waived or refunded and has no credit note yet, at the invoice's seller and rates of VAT. After a
 * failed refund the credit note stays: the retry needs no second one.
 */
export async function creditOrder(tx: Tx, orderId: string, { reason, detail }: { reason: string; detail: string }): Promise<void> {
  const invoice = await findCredit(tx, orderId);
  if (!invoice) return;
  const { id: corrects, content, credits, back, gross, off } = invoice;
  const price = Math.min(back, gross) - credits.reduce((sum, credit) => sum + credit.gross, 0);
  if (price <= 0) return;
  const credited = new Map<VatRate, Pence>();
  for (const { rate, gross } of credits.flatMap(ratesOf)) credited.set(rate, (credited.get(rate) ?? 0) + gross);
  const rates = ratesOf(invoice);
  const creditable = rates.map(({ rate, gross }) => ({
    gross,
    credited: credited.get(rate) ?? 0,
    off: off.reduce((sum, line) => sum + (line.rate === rate ? line.price : 0), 0),
  }));
  const shares = rates.length > 0 ? creditOfEach(price, creditable) : [price];
  const line = { name: detail || reason, details: '', qty: 1 };
  const lines = shares.flatMap((share, index) => (share > 0 ? { ...line, price: share, rate: rates[index]?.rate ?? null } : []));
  const named = { number: numberText('invoice', invoice.number), issuedAt: invoice.issuedAt };
  const corrected = { ...content, reason, corrects: named };
  await store(tx, { orderId, kind: 'credit_note', corrects, lines: linesOf(withRates(lines), credited), content: corrected });
}
