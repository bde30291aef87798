import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import type { Invoice, InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import { type RateSum, rateText, type VatRate, vatOfEach } from '#contract/invoices/vat.ts';
import { apportion } from '#contract/market/apportion.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { worthOfNext } from '#contract/market/worth.ts';
import { alikeAsOne } from '#contract/orders/alike.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { jsonKeys } from '#server/platform/database/json-key.ts';
import type { Config } from '#server/platform/settings/config.ts';

export type TaxedLine = InvoiceContent['lines'][number] & { rate: VatRate | null };

const sumOf = (lines: TaxedLine[], figure: 'net' | 'vat' | 'gross'): Pence => lines.reduce((sum, line) => sum + line[figure], 0);

/** Sums by rate, the highest rate first. */
function sumsByRate(lines: TaxedLine[]): RateSum[] {
  const rates = [...new Set(lines.flatMap(({ rate }) => rate ?? []))].sort((one, other) => other - one);
  return rates.map((rate) => {
    const atRate = lines.filter((line) => line.rate === rate);
    return { rate, net: sumOf(atRate, 'net'), vat: sumOf(atRate, 'vat'), gross: sumOf(atRate, 'gross') };
  });
}

/** The totals of a document, as a whole and by rate. */
export function totalsOf(lines: TaxedLine[]): Pick<InvoiceSummary, 'vatRate' | 'rates' | 'net' | 'vat' | 'gross'> {
  const rates = sumsByRate(lines);
  const vatRate = rates[0]?.rate ?? null;
  return { vatRate, rates, net: sumOf(lines, 'net'), vat: sumOf(lines, 'vat'), gross: sumOf(lines, 'gross') };
}

/** A line as documents store it. */
export const withoutRate = ({ rate: _, ...line }: TaxedLine): InvoiceContent['lines'][number] => line;

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

/** Adds the VAT contained in the prices: that of the lines by themselves, or `vats`. */
export function linesOf(priced: Priced[], vats?: readonly Pence[]): TaxedLine[] {
  const amounts = priced.map((line) => ({ gross: grossOf(line), rate: line.rate }));
  const vatOfLines = vats ?? vatOfEach(amounts);
  return priced.map(({ discount: _, ...line }, index) => {
    const [gross, vat] = [amounts[index]?.gross ?? 0, vatOfLines[index] ?? 0];
    return { ...line, net: gross - vat, vat, gross };
  });
}

/** Adds its VAT rate to the details of each line if the document has several rates, as the law asks. */
export function withRates(priced: Priced[]): Priced[] {
  if (new Set(priced.map(({ rate }) => rate)).size < 2) return priced;
  return priced.map((line) => ({ ...line, details: [line.details, `VAT ${rateText(line.rate ?? 0)}`].filter(Boolean).join(', ') }));
}

/**
 * The lines for delivery, one for each rate. Delivery bears the VAT of its goods: its price is divided by what was paid for the goods of each rate, or by
 * their usual prices if they are all free.
 */
function deliveryOf(pieces: Priced[], price: Pence): Priced[] {
  const rates = [...new Set(pieces.map(({ rate }) => rate))];
  const isFree = pieces.every((line) => grossOf(line) === 0);
  const weightOf = (line: Priced) => (isFree ? line.price * line.qty : grossOf(line));
  const weights = rates.map((rate) => pieces.reduce((sum, line) => sum + (line.rate === rate ? weightOf(line) : 0), 0));
  const shares = apportion(price, weights);
  return rates.flatMap((rate, index) => (shares[index] ? { name: 'Delivery', details: '', qty: 1, price: shares[index], rate } : []));
}

const selectOrder = (db: Db, orderId: string, part: number) =>
  db
    .selectFrom('orders')
    .select(['id', 'reference', 'createdAt', 'paymentMethod', 'fullName', 'userName', 'shippingPrice', 'deliveryOff'])
    .select(['line1', 'line2', 'city', 'state', 'postalCode', 'country'])
    .select(sql<InvoiceContent['buyer']['business'] | null>`business`.as('business'))
    .select((order) =>
      jsonArrayFrom(
        order
          .selectFrom('orderItems')
          .select(['name', 'size', 'color', 'qty', 'price', 'discount'])
          .select(jsonKeys('orderItems', 'colourName', 'cancelledQty', 'vatRate'))
          .whereRef('orderId', '=', 'orders.id')
          .where('part', '=', part)
          .orderBy('position'),
      ).as('items'),
    )
    .where('id', '=', orderId);

async function readOrderRow(db: Db, orderId: string, part: number): Promise<OrderRow> {
  const order = await selectOrder(db, orderId, part).executeTakeFirstOrThrow(() => new Problem(404, 'Order not found'));
  return order;
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof selectOrder>['execute']>>[number];

/** The pieces that are still part of the order, with what is paid for them: alike ones on one line. */
function piecesOf({ items }: OrderRow): Priced[] {
  const pieces = items.flatMap(
    ({ name, size, color, colourName, qty: ordered, cancelledQty, price, discount: lineDiscount, vatRate: rate }) => {
      const qty = ordered - cancelledQty;
      const discount = price * qty - worthOfNext({ price, qty: ordered, discount: lineDiscount }, cancelledQty, qty);
      const details = [size, colourNameOf(color, colourName)].filter(Boolean).join(', ');
      return qty > 0 ? [{ name, details, qty, price, discount, rate }] : [];
    },
  );
  const merged = alikeAsOne(
    pieces,
    ({ name, details, price, rate }) => [name, details, price, rate],
    (one, other) => ({ ...one, qty: one.qty + other.qty, discount: one.discount + other.discount }),
  );
  const discountText = (discount: Pence) => discount > 0 && `less ${pounds(discount)} discount`;
  return merged.map((line) => ({ ...line, details: [line.details, discountText(line.discount)].filter(Boolean).join(', ') }));
}

/**
 * The lines of an invoice of the order (part 0), which has the delivery less what corrections took off (`deliveryOff`), or of what a correction added to
 * it.
 */
function invoiceLines(order: OrderRow, part: number, rateOf: (stored: VatRate | null) => VatRate | null): TaxedLine[] {
  const pieces = piecesOf(order).map((line) => ({ ...line, rate: rateOf(line.rate) }));
  const delivery = part === 0 ? deliveryOf(pieces, order.shippingPrice - order.deliveryOff) : [];
  return linesOf(withRates([...pieces, ...delivery]));
}

/** An invoice or credit note that is not numbered yet. */
export interface Draft {
  lines: TaxedLine[];
  content: Omit<InvoiceContent, 'lines'>;
}

/** What documents of an order say beside their lines. */
function contentOf(order: OrderRow, { company, vat }: Pick<Config, 'company' | 'vat'>): Draft['content'] {
  const { fullName, userName, line1, line2, city, state, postalCode, country, business } = order;
  return {
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
}

/**
 * Drafts the invoice of an order without what was cancelled of it, or of what a correction added (`part`). Its content is stored with it, so later changes to
 * settings, products or addresses do not alter it. Throws 404.
 */
export async function draftInvoice(db: Db, config: Pick<Config, 'company' | 'vat'>, orderId: string, part: number): Promise<Draft> {
  const order = await readOrderRow(db, orderId, part);
  const { vat } = config;
  // Lines of earlier versions have no rate of their own.
  return { lines: invoiceLines(order, part, (stored) => (vat ? (stored ?? vat.rates.standard) : null)), content: contentOf(order, config) };
}

/** The pro forma of an order, with its id, reference and time, and the VAT at which its lines were sold. */
function proFormaOf(order: OrderRow): { summary: InvoiceSummary; lines: TaxedLine[] } {
  const lines = invoiceLines(order, 0, (stored) => stored);
  return { summary: { _id: order.id, kind: 'pro_forma', number: order.reference, issuedAt: order.createdAt, ...totalsOf(lines) }, lines };
}

/** The sums of the pro forma of an order that has just been stored. */
export const sumNewProForma = (order: OrderRow): InvoiceSummary => proFormaOf(order).summary;

/** The sums of the pro forma of an order that awaits its invoice. Throws 404. */
export const sumProForma = async (db: Db, orderId: string): Promise<InvoiceSummary> =>
  proFormaOf(await readOrderRow(db, orderId, 0)).summary;

/** The pro forma of an order that awaits its invoice. Throws 404. */
export async function draftProForma(db: Db, config: Pick<Config, 'company' | 'vat'>, orderId: string): Promise<Invoice> {
  const order = await readOrderRow(db, orderId, 0);
  const { summary, lines } = proFormaOf(order);
  return { ...summary, ...contentOf(order, config), lines: lines.map(withoutRate) };
}
