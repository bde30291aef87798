import { sql } from 'kysely';
import type { InvoiceContent } from '#contract/invoices/invoices.ts';
import {
  type Creditable,
  creditOfEach,
  type InvoiceKind,
  numberText,
  type RateSum,
  ratesOf,
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

/** What a credit is for of an invoice (`part`) at a rate: the price of pieces and delivery that came off the order, or goodwill. */
export interface ForRate {
  part: number;
  rate: VatRate | null;
  price: Pence;
  isGoodwill?: true;
}

interface Piece {
  rate: VatRate | null;
  /** What its invoice has of it. */
  invoiced: Pence;
  /** The price of what was cancelled, returned or refunded since, in part too. */
  off: Pence;
}

/**
 * An order's invoices with their credit notes. `creditDue` is the most that they can come to, of all invoices: what the customer need not pay, what they are to
 * have back, and goodwill; `delivery` is what is left of the price of delivery. `pending` and `failed` say what refunds under way, and those that failed, are for
 * that have no credit note, `goodwill` what is credited as goodwill.
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
      goodwill: ForRate[];
    }
  >`
    select invoice.id, invoice.part, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.vat_rates, invoice.net, invoice.vat, invoice.gross, invoice.content,
      (select coalesce(json_agg(json_build_object('vatRate', vat_rate, 'vatRates', vat_rates, 'net', net, 'vat', vat, 'gross', gross)), '[]')
        from invoices credit where credit.corrects = invoice.id) as credits,
      -- Less what was waived before the invoices, which leave it out.
      orders.waived_price - (orders.total_price - (sum(invoice.gross) over ())::int) + greatest(orders.entitled_price, refunded.given) + refunded.given_freely as credit_due,
      -- A piece that was cancelled or came back may be refunded too, so the counts overlap.
      (select json_agg(json_build_object('rate', vat_rate, 'invoiced', price * qty - discount - worth_of(price, qty, discount, left_out_qty),
        'off', least(price * qty - discount, partial_refund + worth_of(price, qty, discount, least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty))))
          - worth_of(price, qty, discount, left_out_qty)))
        from order_items item where item.order_id = orders.id and item.part = invoice.part) as pieces,
      -- The last pieces take the delivery with them.
      case when invoice.part > 0 or not exists (select from order_items where order_id = orders.id and qty > cancelled_qty + returned_qty + spoiled_qty) then 0
        else orders.shipping_price - orders.delivery_off end as delivery,
      refunded.pending, refunded.failed, refunded.goodwill
    from invoices invoice join orders on orders.id = invoice.order_id,
      lateral (select coalesce(sum(amount - goodwill) filter (where status <> 'failed'), 0)::int as given, coalesce(sum(goodwill), 0)::int as given_freely,
        coalesce(jsonb_path_query_array(jsonb_agg(for_rates) filter (where status = 'pending' and done_at is null and for_rates is not null), '$[*][*]'), '[]') as pending,
        coalesce(jsonb_path_query_array(jsonb_agg(for_rates) filter (where status = 'failed' and done_at is null and for_rates is not null), '$[*][*]'), '[]') as failed,
        coalesce(jsonb_path_query_array(jsonb_agg(for_rates) filter (where done_at is not null), '$[*][*] ? (@.isGoodwill == true)'), '[]') as goodwill
        from order_refunds where order_id = orders.id) refunded
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice' order by invoice.part`.execute(tx);
  return rows;
}

type Invoice = Awaited<ReturnType<typeof listCredited>>[number];
type CreditableRate = Creditable & { invoice: Invoice; rate: VatRate | null; left: Omit<RateSum, 'rate' | 'net'> };

const sumOf = (amounts: readonly Pence[]): Pence => amounts.reduce((sum, amount) => sum + amount, 0);
const sumOfGross = (documents: readonly { gross: Pence }[]): Pence => sumOf(documents.map(({ gross }) => gross));

/** What can still be credited of an order, beside what refunds under way are for. Less than nothing if more is credited already. */
const uncreditedOf = (invoices: readonly Invoice[]): Pence =>
  (invoices[0]?.creditDue ?? 0) -
  sumOfGross(invoices.flatMap(({ credits }) => credits)) -
  sumOf((invoices[0]?.pending ?? []).map(({ price }) => price));

export const readUncredited = async (tx: Tx, orderId: string): Promise<Pence> => uncreditedOf(await listCredited(tx, orderId));

/** An invoice at each VAT rate, with what is credited of it already, what came off the order, and what refunds are for. `own` is what the credit is for. */
function creditableOf(invoice: Invoice, own: readonly ForRate[]): CreditableRate[] {
  const { credits, pieces, gross, vat, part, pending } = invoice;
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
      claimed: credited + priceOf(pending),
      goodwill: priceOf([...invoice.goodwill, ...pending.filter(({ isGoodwill }) => isGoodwill)]),
      left: { gross: sums.gross - credited, vat: sums.vat - sumOf(before.map((one) => one.vat)) },
      off: sumOf(pieces.filter(isHere).map(({ off }) => off)),
      deliveryOff: (delivery[index] ?? 0) - (deliveryLeft[index] ?? 0),
      failed: priceOf(invoice.failed.filter(({ isGoodwill }) => !isGoodwill)),
      own: priceOf(own),
    };
  });
}

/** The price of an order's pieces by invoice and rate. */
export async function readRates(tx: Tx, orderId: string, pieces: readonly { position: number; price: Pence }[]): Promise<ForRate[]> {
  const lines = await tx.selectFrom('orderItems').select(['position', 'part', 'vatRate as rate']).where('orderId', '=', orderId).execute();
  const rates: ForRate[] = [];
  for (const { position, price } of pieces) {
    const { part, rate } = lines.find((line) => line.position === position) ?? { part: 0, rate: null };
    const same = rates.find((one) => one.part === part && one.rate === rate);
    if (same) same.price += price;
    else rates.push({ part, rate, price });
  }
  return rates;
}

/**
 * What an amount that goes back, or is waived, is to be credited for: its `pieces`, by their lines, or what its refund was for before it failed (`forRates`), then
 * what else came off the order, then goodwill. Without what is credited already, such as what it pays again for a refund that its bank has returned. `goodwill` is
 * the part of it that no refund has yet.
 */
export async function divideCredit(
  tx: Tx,
  orderId: string,
  {
    amount,
    goodwill = 0,
    pieces = [],
    forRates = [],
  }: { amount: Pence; goodwill?: Pence; pieces?: readonly { position: number; price: Pence }[]; forRates?: readonly ForRate[] },
): Promise<ForRate[]> {
  const own = [...(await readRates(tx, orderId, pieces)), ...forRates.filter(({ isGoodwill }) => !isGoodwill)];
  const invoices = await listCredited(tx, orderId);
  const rates = invoices.flatMap((invoice) => creditableOf(invoice, own));
  const most = Math.max(0, uncreditedOf(invoices) + goodwill);
  const shares = creditOfEach(Math.min(amount, most), rates);
  return rates.flatMap(({ invoice: { part }, rate }, index): ForRate[] => {
    const { price = 0, goodwill: rest = 0 } = shares[index] ?? {};
    return [...(price > 0 ? [{ part, rate, price }] : []), ...(rest > 0 ? [{ part, rate, price: rest, isGoodwill: true as const }] : [])];
  });
}

/** Issues a credit note for each invoice of a locked order that a credit is for, with the invoice's seller. */
export async function creditOrder(
  tx: Tx,
  orderId: string,
  { reason, detail, forRates }: { reason: string; detail: string; forRates: readonly ForRate[] },
): Promise<void> {
  if (forRates.length === 0) return;
  for (const invoice of await listCredited(tx, orderId)) {
    const { id: corrects, part, content, number, issuedAt } = invoice;
    const byRate = creditableOf(invoice, forRates).flatMap(({ rate, left, own }) => {
      const price = Math.min(own, left.gross);
      return price > 0 ? [{ rate, left, price }] : [];
    });
    const lines = byRate.map(({ rate, price }) => ({ name: detail || reason, details: '', qty: 1, price, rate }));
    const vats = byRate.map(({ rate, left, price }) => (rate === null ? 0 : vatOfCredit({ rate, ...left }, price)));
    const creditContent = { ...content, reason, corrects: { number: numberText('invoice', number), issuedAt } };
    const draft = { lines: linesOf(withRates(lines), vats), content: creditContent };
    if (lines.length > 0) await store(tx, { orderId, part, kind: 'credit_note', corrects }, draft);
  }
}
