import { sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import type { InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import {
  type Creditable,
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
  /** The correction that it is for; 0 for the order as it was placed. */
  part: number;
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
async function store(tx: Tx, { orderId, part, kind, corrects, lines, content }: Draft): Promise<InvoiceSummary> {
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
    insert into invoices (id, order_id, part, kind, number, corrects, vat_rate, vat_rates, net, vat, gross, content, issued_at)
    select ${id}::uuid, ${orderId}::uuid, ${part}::int, ${kind}, last, ${corrects ?? null}::uuid, ${vatRate}::int, ${vatRates}::jsonb, ${net}, ${vat}, ${gross},
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
    .select(sql<InvoiceContent['buyer']['business'] | null>`business`.as('business'))
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

const findItems = (tx: Tx, orderId: string, part: number) =>
  tx
    .selectFrom('orderItems')
    .select(['name', 'size', 'color', 'colourName', 'qty', 'price', 'discount', 'vatRate'])
    .where('orderId', '=', orderId)
    .where('part', '=', part)
    .orderBy('position')
    .execute();

/** Issues the invoice of a newly placed or card-paid order, once. */
export async function issueInvoice(tx: Tx, config: Pick<Config, 'company' | 'vat'>, orderId: string): Promise<InvoiceSummary> {
  const [issued] = await listInvoices(tx, orderId);
  return issued ?? issuePart(tx, config, orderId, 0);
}

/**
 * Issues the invoice of an order as it was placed, or of what a correction added. Its content is stored, so later changes to settings, products or
 * addresses do not alter it.
 */
export async function issuePart(
  tx: Tx,
  { company, vat }: Pick<Config, 'company' | 'vat'>,
  orderId: string,
  part: number,
): Promise<InvoiceSummary> {
  const [order, items] = [await findOrder(tx, orderId), await findItems(tx, orderId, part)];
  const { fullName, userName, line1, line2, city, state, postalCode, country, shippingPrice, business } = order;
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
    buyer: {
      name: fullName || userName,
      address: [line1, line2, city, state, postalCode, country].filter(Boolean),
      ...(business && { business }),
    },
    order: { reference: order.reference, placedAt: order.createdAt, paymentMethod: order.paymentMethod },
    reason: '',
    corrects: null,
  };
  const delivery = part === 0 ? deliveryOf(pieces, shippingPrice) : [];
  return store(tx, { orderId, part, kind: 'invoice', lines: linesOf(withRates([...pieces, ...delivery])), content });
}

interface Credit {
  vatRate: VatRate | null;
  vatRates: RateSum[] | null;
  net: Pence;
  vat: Pence;
  gross: Pence;
}

/** An order's invoices with their credit notes, the pence due back (`back`), and the price of their pieces that are off the order, by rate (`off`). */
async function findCredit(tx: Tx, orderId: string) {
  const { rows } = await sql<
    Credit & {
      id: string;
      part: number;
      number: number;
      issuedAt: string;
      content: InvoiceContent;
      credits: Credit[];
      back: number;
      off: { rate: VatRate | null; price: Pence }[];
    }
  >`
    select invoice.id, invoice.part, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.vat_rates, invoice.net, invoice.vat, invoice.gross, invoice.content,
      (select coalesce(json_agg(json_build_object('vatRate', vat_rate, 'vatRates', vat_rates, 'net', net, 'vat', vat, 'gross', gross)), '[]')
        from invoices credit where credit.corrects = invoice.id) as credits,
      orders.waived_price + (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'done') as back,
      (select json_agg(json_build_object('rate', vat_rate,
        'price', worth_of(price, qty, discount, least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty)))))
        from order_items item where item.order_id = orders.id and item.part = invoice.part) as off
    from invoices invoice join orders on orders.id = invoice.order_id
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice' order by invoice.part`.execute(tx);
  return rows;
}

type Creditor = Awaited<ReturnType<typeof findCredit>>[number];

const sumOfGross = (documents: readonly { gross: Pence }[]): Pence => documents.reduce((sum, { gross }) => sum + gross, 0);

/** An invoice's gross sum at each of its rates, with the part that is credited and the price of its pieces that are off the order. */
function creditableOf(invoice: Creditor): (Creditable & { invoice: Creditor; rate: VatRate | null })[] {
  const { credits, off, gross } = invoice;
  const rates = ratesOf(invoice);
  if (rates.length === 0)
    return [{ invoice, rate: null, gross, credited: sumOfGross(credits), off: off.reduce((sum, { price }) => sum + price, 0) }];
  return rates.map(({ rate, gross: all }) => ({
    invoice,
    rate,
    gross: all,
    credited: sumOfGross(credits.flatMap(ratesOf).filter((one) => one.rate === rate)),
    off: off.reduce((sum, line) => sum + (line.rate === rate ? line.price : 0), 0),
  }));
}

/**
 * Credits the part of a locked order that was waived or refunded and has no credit note yet, at the seller and rates of VAT of its invoices: a credit note
 * for each of them. After a failed refund they stay: the retry needs no second one.
 */
export async function creditOrder(tx: Tx, orderId: string, { reason, detail }: { reason: string; detail: string }): Promise<void> {
  const invoices = await findCredit(tx, orderId);
  const back = Math.min(invoices[0]?.back ?? 0, sumOfGross(invoices));
  const price = back - sumOfGross(invoices.flatMap(({ credits }) => credits));
  if (price <= 0) return;
  const creditable = invoices.flatMap(creditableOf);
  const shares = creditOfEach(price, creditable);
  for (const invoice of invoices) {
    const { id: corrects, part, content, number, issuedAt } = invoice;
    const own = creditable.flatMap((one, index) => (one.invoice === invoice ? [{ ...one, price: shares[index] ?? 0 }] : []));
    const credited = new Map(own.flatMap(({ rate, credited: before }) => (rate === null ? [] : [[rate, before] as const])));
    const lines = own.flatMap(({ rate, price: share }) =>
      share > 0 ? { name: detail || reason, details: '', qty: 1, price: share, rate } : [],
    );
    const named = { number: numberText('invoice', number), issuedAt };
    const corrected = { ...content, reason, corrects: named };
    if (lines.length > 0)
      await store(tx, { orderId, part, kind: 'credit_note', corrects, lines: linesOf(withRates(lines), credited), content: corrected });
  }
}
