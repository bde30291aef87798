import { sql } from 'kysely';
import type { InvoiceContent } from '#contract/invoices/invoices.ts';
import {
  type Creditable,
  creditOfEach,
  type InvoiceKind,
  numberText,
  type RateSum,
  ratesOf,
  refundOfEach,
  type VatRate,
  vatOfCredit,
} from '#contract/invoices/vat.ts';
import { apportion } from '#contract/market/apportion.ts';
import type { Pence } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { type Draft, draftInvoice, linesOf, totalsOf, withoutRate, withRates } from './draft.service.ts';

/** What a document is about. */
interface DocumentHead {
  orderId: string;
  /** The number of the correction that added its pieces; 0 for the order as it was placed. */
  part: number;
  kind: InvoiceKind;
  /** The id of the invoice that a credit note corrects. */
  corrects?: string;
}

/**
 * Stores a document under the next number of its kind. Numbering locks the counter's row until commit: call it late. A rollback leaves no
 * gap. The time is read under that lock too, so later numbers have later times.
 */
async function store(tx: Tx, { orderId, part, kind, corrects }: DocumentHead, { lines, content }: Draft): Promise<void> {
  const { vatRate, rates, net, vat, gross } = totalsOf(lines);
  const vatRates = rates.length > 1 ? JSON.stringify(rates) : null;
  const stored: InvoiceContent = { ...content, lines: lines.map(withoutRate) };
  await sql`
    with counted as (
      insert into document_numbers (kind, last) values (${kind}, 1)
      on conflict (kind) do update set last = document_numbers.last + 1 returning last
    )
    insert into invoices (id, order_id, part, kind, number, corrects, vat_rate, vat_rates, net, vat, gross, content, issued_at)
    select ${newId()}::uuid, ${orderId}::uuid, ${part}::int, ${kind}, last, ${corrects ?? null}::uuid, ${vatRate}::int, ${vatRates}::jsonb, ${net}, ${vat}, ${gross},
      ${JSON.stringify(stored)}::jsonb, clock_timestamp() from counted`.execute(tx);
}

/** Issues the invoice of a locked order, or of the pieces that a correction (`part`) added to it later. */
export async function issueInvoice(tx: Tx, config: Pick<Config, 'company' | 'vat'>, orderId: string, part = 0): Promise<void> {
  await store(tx, { orderId, part, kind: 'invoice' }, await draftInvoice(tx, config, orderId, part));
}

interface Credit {
  vatRate: VatRate | null;
  vatRates: RateSum[] | null;
  net: Pence;
  vat: Pence;
  gross: Pence;
}

/** What a refund is for of an invoice (`part`) at a rate: the price of pieces and delivery that came off the order. */
export interface ForRate {
  part: number;
  rate: VatRate | null;
  price: Pence;
}

interface Piece {
  rate: VatRate | null;
  /** What its invoice has of it. */
  invoiced: Pence;
  /** The price of what was cancelled, returned or refunded since, in part too. */
  off: Pence;
}

/**
 * An order's invoices with their credit notes. `creditDue` is the sum, of all invoices, that the customer need not pay or got back, through a lost dispute only as
 * far as it was counted (`lost_price`); `delivery` is what is left of the price of delivery. `pending` and `failed` say what refunds under way, and those that
 * failed, are for.
 */
async function listCredited(tx: Tx, orderId: string) {
  const { rows } = await sql<
    Credit & {
      id: string;
      part: number;
      number: number;
      issuedAt: string;
      content: InvoiceContent;
      credits: Credit[];
      creditDue: number;
      pieces: Piece[];
      delivery: Pence;
      pending: ForRate[];
      failed: ForRate[];
    }
  >`
    select invoice.id, invoice.part, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.vat_rates, invoice.net, invoice.vat, invoice.gross, invoice.content,
      (select coalesce(json_agg(json_build_object('vatRate', vat_rate, 'vatRates', vat_rates, 'net', net, 'vat', vat, 'gross', gross)), '[]')
        from invoices credit where credit.corrects = invoice.id) as credits,
      -- Less what was waived before the invoices, which leave it out.
      orders.waived_price + refunded.amount - (orders.total_price - (sum(invoice.gross) over ())::int) + orders.lost_price as credit_due,
      -- A piece that was cancelled or came back may be refunded too, so the counts overlap.
      (select json_agg(json_build_object('rate', vat_rate, 'invoiced', price * qty - discount - worth_of(price, qty, discount, left_out_qty),
        'off', least(price * qty - discount, partial_refund + worth_of(price, qty, discount, least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty))))
          - worth_of(price, qty, discount, left_out_qty)))
        from order_items item where item.order_id = orders.id and item.part = invoice.part) as pieces,
      -- The last pieces take the delivery with them.
      case when invoice.part > 0 or not exists (select from order_items where order_id = orders.id and qty > cancelled_qty + returned_qty + spoiled_qty) then 0
        else orders.shipping_price - orders.delivery_off end as delivery,
      refunded.pending, refunded.failed
    from invoices invoice join orders on orders.id = invoice.order_id,
      lateral (select coalesce(sum(amount) filter (where status = 'done'), 0)::int as amount,
        coalesce(jsonb_path_query_array(jsonb_agg(for_rates) filter (where status = 'pending' and for_rates is not null), '$[*][*]'), '[]') as pending,
        coalesce(jsonb_path_query_array(jsonb_agg(for_rates) filter (where status = 'failed' and for_rates is not null), '$[*][*]'), '[]') as failed
        from order_refunds where order_id = orders.id) refunded
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice' order by invoice.part`.execute(tx);
  return rows;
}

type Invoice = Awaited<ReturnType<typeof listCredited>>[number];
type CreditableRate = Creditable & { invoice: Invoice; rate: VatRate | null; left: Omit<RateSum, 'rate' | 'net'> };

const sumOf = (amounts: readonly Pence[]): Pence => amounts.reduce((sum, amount) => sum + amount, 0);
const sumOfGross = (documents: readonly { gross: Pence }[]): Pence => sumOf(documents.map(({ gross }) => gross));

/** An invoice at each VAT rate, with what is credited of it already, what came off the order, and what refunds are for. `own` is what the credited refund is for. */
function creditableOf(invoice: Invoice, own: readonly ForRate[]): CreditableRate[] {
  const { credits, pieces, gross, vat, part } = invoice;
  const rates: { rate: VatRate | null; gross: Pence; vat: Pence }[] = ratesOf(invoice);
  if (rates.length === 0) rates.push({ rate: null, gross, vat });
  // Lines of earlier versions have no rate of their own; an invoice with one rate has no other lines.
  const isAt = (rate: VatRate | null) => (one: { rate: VatRate | null }) => rates.length === 1 || one.rate === rate;
  const delivery = rates.map((one) => one.gross - sumOf(pieces.filter(isAt(one.rate)).map(({ invoiced }) => invoiced)));
  const deliveryLeft = apportion(Math.min(invoice.delivery, sumOf(delivery)), delivery);
  return rates.map(({ rate, ...sums }, index) => {
    const isHere = isAt(rate);
    const before = rate === null ? credits : credits.flatMap(ratesOf).filter((one) => one.rate === rate);
    const credited = sumOfGross(before);
    const priceOf = (list: readonly ForRate[]) => sumOf(list.filter((one) => one.part === part && isHere(one)).map(({ price }) => price));
    return {
      invoice,
      rate,
      gross: sums.gross,
      credited,
      left: { gross: sums.gross - credited, vat: sums.vat - sumOf(before.map((one) => one.vat)) },
      off: sumOf(pieces.filter(isHere).map(({ off }) => off)),
      deliveryOff: (delivery[index] ?? 0) - (deliveryLeft[index] ?? 0),
      pending: priceOf(invoice.pending),
      failed: priceOf(invoice.failed),
      own: priceOf(own),
    };
  });
}

/**
 * What a refund that starts now is for: its `pieces`, by their lines, or what it was for before it failed (`forRates`), then what else came off the order and no
 * other refund is for.
 */
export async function divideRefund(
  tx: Tx,
  orderId: string,
  {
    amount,
    pieces = [],
    forRates = [],
  }: { amount: Pence; pieces?: readonly { position: number; price: Pence }[]; forRates?: readonly ForRate[] },
): Promise<ForRate[]> {
  const lines = await tx.selectFrom('orderItems').select(['position', 'part', 'vatRate as rate']).where('orderId', '=', orderId).execute();
  const ofPieces = pieces.flatMap(({ position, price }) => {
    const line = lines.find((one) => one.position === position);
    return line ? [{ ...line, price }] : [];
  });
  const own = [...ofPieces, ...forRates];
  const rates = (await listCredited(tx, orderId)).flatMap((invoice) => creditableOf(invoice, own));
  return refundOfEach(amount, rates).flatMap((price, index) => {
    const one = rates[index];
    return one && price > 0 ? [{ part: one.invoice.part, rate: one.rate, price }] : [];
  });
}

/**
 * Issues a credit note for each invoice of a locked order, for the sum that was waived or refunded and has none yet, with the invoice's seller and VAT rates:
 * those of what its refund is for (`forRates`) first. The credit notes of a refund that then fails stay, since its retry needs no others.
 */
export async function creditOrder(
  tx: Tx,
  orderId: string,
  { reason, detail, forRates }: { reason: string; detail: string; forRates?: readonly ForRate[] | null },
): Promise<void> {
  const invoices = await listCredited(tx, orderId);
  // A refund made both by hand and at the provider exceeds the payment; credit notes cannot exceed the invoices.
  const creditDue = Math.min(invoices[0]?.creditDue ?? 0, sumOfGross(invoices));
  const price = creditDue - sumOfGross(invoices.flatMap(({ credits }) => credits));
  if (price <= 0) return;
  const creditable = invoices.flatMap((invoice) => creditableOf(invoice, forRates ?? []));
  const shares = creditOfEach(price, creditable);
  for (const invoice of invoices) {
    const { id: corrects, part, content, number, issuedAt } = invoice;
    const byRate = creditable.flatMap((one, index) => {
      const share = shares[index] ?? 0;
      return one.invoice === invoice && share > 0 ? [{ ...one, price: share }] : [];
    });
    const lines = byRate.map(({ rate, price: share }) => ({ name: detail || reason, details: '', qty: 1, price: share, rate }));
    const vats = byRate.map(({ rate, left, price: share }) => (rate === null ? 0 : vatOfCredit({ rate, ...left }, share)));
    const creditContent = { ...content, reason, corrects: { number: numberText('invoice', number), issuedAt } };
    const draft = { lines: linesOf(withRates(lines), vats), content: creditContent };
    if (lines.length > 0) await store(tx, { orderId, part, kind: 'credit_note', corrects }, draft);
  }
}
