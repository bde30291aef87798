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
} from '#contract/invoices/vat.ts';
import type { Pence } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { type Draft, draftInvoice, linesOf, totalsOf, withoutRate, withRates } from './draft.service.ts';
import { recountLoss } from './lost-disputes.service.ts';

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

/**
 * An order's invoices with their credit notes. `creditDue` is the sum, of all invoices, that the customer need not pay or got back, through a lost dispute only as far as it was counted (`lost_price`); `off` is the price of the
 * invoice's pieces that were cancelled, returned or refunded, in part too, by VAT rate.
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
      off: { rate: VatRate | null; price: Pence }[];
    }
  >`
    select invoice.id, invoice.part, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.vat_rates, invoice.net, invoice.vat, invoice.gross, invoice.content,
      (select coalesce(json_agg(json_build_object('vatRate', vat_rate, 'vatRates', vat_rates, 'net', net, 'vat', vat, 'gross', gross)), '[]')
        from invoices credit where credit.corrects = invoice.id) as credits,
      -- Less what was waived before the invoices, which leave it out.
      orders.waived_price + refunded.amount - (orders.total_price - (sum(invoice.gross) over ())::int) + orders.lost_price as credit_due,
      -- A piece that was cancelled or came back may be refunded too, so the counts overlap.
      (select json_agg(json_build_object('rate', vat_rate,
        'price', least(price * qty - discount, partial_refund + worth_of(price, qty, discount, least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty))))
          - worth_of(price, qty, discount, left_out_qty)))
        from order_items item where item.order_id = orders.id and item.part = invoice.part) as off
    from invoices invoice join orders on orders.id = invoice.order_id,
      lateral (select coalesce(sum(amount), 0)::int as amount from order_refunds where order_id = orders.id and status = 'done') refunded
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice' order by invoice.part`.execute(tx);
  return rows;
}

type Invoice = Awaited<ReturnType<typeof listCredited>>[number];

const sumOfGross = (documents: readonly { gross: Pence }[]): Pence => documents.reduce((sum, { gross }) => sum + gross, 0);

/** An invoice's gross sum at each VAT rate, with what is credited of it already and the price of the pieces that came off the order. */
function creditableOf(invoice: Invoice): (Creditable & { invoice: Invoice; rate: VatRate | null })[] {
  const { credits, off, gross } = invoice;
  const rates = ratesOf(invoice);
  if (rates.length === 0)
    return [{ invoice, rate: null, gross, credited: sumOfGross(credits), off: off.reduce((sum, { price }) => sum + price, 0) }];
  return rates.map(({ rate, gross: grossAtRate }) => ({
    invoice,
    rate,
    gross: grossAtRate,
    credited: sumOfGross(credits.flatMap(ratesOf).filter((one) => one.rate === rate)),
    off: off.reduce((sum, line) => sum + (line.rate === rate ? line.price : 0), 0),
  }));
}

/**
 * Issues a credit note for each invoice of a locked order, for the sum that was waived or refunded and has none yet, with the invoice's seller and VAT rates.
 * The credit notes of a refund that then fails stay, since its retry needs no others.
 */
export async function creditOrder(tx: Tx, orderId: string, { reason, detail }: { reason: string; detail: string }): Promise<void> {
  await recountLoss(tx, orderId);
  const invoices = await listCredited(tx, orderId);
  // A refund made both by hand and at the provider exceeds the payment; credit notes cannot exceed the invoices.
  const creditDue = Math.min(invoices[0]?.creditDue ?? 0, sumOfGross(invoices));
  const price = creditDue - sumOfGross(invoices.flatMap(({ credits }) => credits));
  if (price <= 0) return;
  const creditable = invoices.flatMap(creditableOf);
  const shares = creditOfEach(price, creditable);
  for (const invoice of invoices) {
    const { id: corrects, part, content, number, issuedAt } = invoice;
    const byRate = creditable.flatMap((one, index) => (one.invoice === invoice ? [{ ...one, price: shares[index] ?? 0 }] : []));
    const credited = new Map(byRate.flatMap(({ rate, credited: before }) => (rate === null ? [] : [[rate, before] as const])));
    const lines = byRate.flatMap(({ rate, price: share }) =>
      share > 0 ? { name: detail || reason, details: '', qty: 1, price: share, rate } : [],
    );
    const creditContent = { ...content, reason, corrects: { number: numberText('invoice', number), issuedAt } };
    const draft = { lines: linesOf(withRates(lines), credited), content: creditContent };
    if (lines.length > 0) await store(tx, { orderId, part, kind: 'credit_note', corrects }, draft);
  }
}
