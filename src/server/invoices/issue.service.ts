import { sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import type { InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import { type InvoiceKind, numberText, type VatRate, vatOfEach } from '#contract/invoices/vat.ts';
import type { Pence } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { listInvoices } from './read.service.ts';

/** An invoice without its number. */
interface Draft {
  orderId: string;
  kind: InvoiceKind;
  corrects?: string;
  vatRate: VatRate | null;
  content: InvoiceContent;
}

const sumOf = (lines: InvoiceContent['lines'], part: 'net' | 'vat' | 'gross'): Pence => lines.reduce((sum, line) => sum + line[part], 0);

/**
 * Stores a document under the next number of its kind. Numbering locks the counter's row until commit: call it late. A rollback leaves no
 * gap. The time is read under that lock too, so later numbers have later times.
 */
async function store(tx: Tx, { orderId, kind, corrects, vatRate, content }: Draft): Promise<InvoiceSummary> {
  const [id, net, vat, gross] = [newId(), sumOf(content.lines, 'net'), sumOf(content.lines, 'vat'), sumOf(content.lines, 'gross')];
  const { rows } = await sql<{ number: number; issuedAt: string }>`
    with counted as (
      insert into document_numbers (kind, last) values (${kind}, 1)
      on conflict (kind) do update set last = document_numbers.last + 1 returning last
    )
    insert into invoices (id, order_id, kind, number, corrects, vat_rate, net, vat, gross, content, issued_at)
    select ${id}::uuid, ${orderId}::uuid, ${kind}, last, ${corrects ?? null}::uuid, ${vatRate}::int, ${net}, ${vat}, ${gross},
      ${JSON.stringify(content)}::jsonb, clock_timestamp() from counted
    returning number, issued_at`.execute(tx);
  const [{ number, issuedAt } = { number: 0, issuedAt: '' }] = rows;
  return { _id: id, kind, number: numberText(kind, number), issuedAt, vatRate, net, vat, gross };
}

interface Priced {
  name: string;
  details: string;
  qty: number;
  price: Pence;
}

/** Adds the VAT contained in the prices. `before`: pence already credited, so that rounding stays consistent. */
function linesOf(priced: Priced[], vatRate: VatRate | null, before: Pence = 0): InvoiceContent['lines'] {
  const amounts = priced.map(({ price, qty }) => price * qty);
  const vats = vatRate === null ? amounts.map(() => 0) : vatOfEach(amounts, vatRate, before);
  return priced.map((line, index) => {
    const [gross = 0, vat = 0] = [amounts[index], vats[index]];
    return { ...line, net: gross - vat, vat, gross };
  });
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
    .select(['name', 'size', 'color', 'qty', 'price'])
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
  const vatRate = vat?.rate ?? null;
  const pieces = items.map(({ name, size, color, qty, price }) => ({
    name,
    details: [size, colourNameOf(color)].filter(Boolean).join(', '),
    qty,
    price,
  }));
  const delivery = shippingPrice > 0 ? [{ name: 'Delivery', details: '', qty: 1, price: shippingPrice }] : [];
  const content: InvoiceContent = {
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
    lines: linesOf([...pieces, ...delivery], vatRate),
    reason: '',
    corrects: null,
  };
  return store(tx, { orderId, kind: 'invoice', vatRate, content });
}

/** An order's invoice, with the pence credited so far (`credited`) and those due back (`back`). */
async function findCredit(tx: Tx, orderId: string) {
  const { rows } = await sql<{
    id: string;
    number: number;
    issuedAt: string;
    vatRate: number | null;
    gross: number;
    content: InvoiceContent;
    credited: number;
    back: number;
  }>`
    select invoice.id, invoice.number, invoice.issued_at, invoice.vat_rate, invoice.gross, invoice.content,
      (select coalesce(sum(gross), 0)::int from invoices credit where credit.corrects = invoice.id) as credited,
      orders.waived_price + (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'done') as back
    from invoices invoice join orders on orders.id = invoice.order_id
    where invoice.order_id = ${orderId}::uuid and invoice.kind = 'invoice'`.execute(tx);
  return rows[0];
}

/**
 * Credits the part of a locked order that was waived or refunded and has no credit note yet, at the invoice's seller and VAT rate. After a
 * failed refund the credit note stays: the retry needs no second one.
 */
export async function creditOrder(tx: Tx, orderId: string, { reason, detail }: { reason: string; detail: string }): Promise<void> {
  const invoice = await findCredit(tx, orderId);
  if (!invoice) return;
  const { id: corrects, vatRate, content, credited, back, gross } = invoice;
  const price = Math.min(back, gross) - credited;
  if (price <= 0) return;
  const lines = linesOf([{ name: detail || reason, details: '', qty: 1, price }], vatRate, credited);
  const named = { number: numberText('invoice', invoice.number), issuedAt: invoice.issuedAt };
  await store(tx, { orderId, kind: 'credit_note', corrects, vatRate, content: { ...content, lines, reason, corrects: named } });
}
