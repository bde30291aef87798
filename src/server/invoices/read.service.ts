import { type Selectable, type SqlBool, sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import type { Invoice, InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import { type InvoiceKind, numberText, type RateSum, ratesOf } from '#contract/invoices/vat.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { erasing } from '#server/platform/database/erasing.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { draftProForma, sumProForma } from './draft.service.ts';

const COLUMNS = ['invoices.id', 'invoices.kind', 'number', 'issuedAt', 'vatRate', 'vatRates', 'net', 'vat', 'gross'] as const;
type Row = Pick<Selectable<DB['invoices']>, 'id' | 'kind' | 'number' | 'issuedAt' | 'vatRate' | 'vatRates' | 'net' | 'vat' | 'gross'>;

function summaryOf({ id, kind: stored, number, vatRates, ...figures }: Row): InvoiceSummary {
  const kind = stored as InvoiceKind;
  const rates = ratesOf({ ...figures, vatRates: vatRates as RateSum[] | null });
  return { _id: id, kind, number: numberText(kind, number), ...figures, rates };
}

/** Whether an order has a pro forma: a sale that awaits its invoice. */
export const hasProForma = sql<boolean>`(orders.awaits_invoice and is_sold(orders.status))`;

/** An order's invoices and credit notes, oldest first, or its pro forma. */
export async function listInvoices(db: Db, order: { _id: string; hasProForma: boolean }): Promise<InvoiceSummary[]> {
  if (order.hasProForma) return [await sumProForma(db, order._id)];
  const rows = await db
    .selectFrom('invoices')
    .select(COLUMNS)
    .where('orderId', '=', order._id)
    .orderBy('issuedAt')
    .orderBy('invoices.id')
    .execute();
  return rows.map(summaryOf);
}

/** Finds an invoice or credit note. Callers must have checked access. */
export async function findInvoice(db: Db, id: string): Promise<Invoice | undefined> {
  const row = await selectInvoice(db, id).executeTakeFirst();
  return row && invoiceOf(row);
}

const selectInvoice = (db: Db, id: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.orderId')
    .select([...COLUMNS, 'content'])
    .where('invoices.id', '=', id);

const invoiceOf = ({ content, ...figures }: Row & { content: unknown }): Invoice => ({
  ...summaryOf(figures),
  ...(content as InvoiceContent),
});

/**
 * Reads an invoice or credit note by its id, or a pro forma by the id of the order that awaits its invoice, for the order's owner or an administrator who
 * may see orders. Throws 404 for anyone else.
 */
export async function readInvoice({ db, config }: Pick<Services, 'db' | 'config'>, who: Customer, id: string): Promise<Invoice> {
  const mayRead = may(who, 'see orders') ? sql<SqlBool>`true` : sql<SqlBool>`orders.user_id = ${who._id}`;
  const row = await selectInvoice(db, id).where(mayRead).executeTakeFirst();
  if (row) return invoiceOf(row);
  await db.selectFrom('orders').select('id').where('id', '=', id).where(hasProForma).where(mayRead).executeTakeFirstOrThrow(notFound);
  return draftProForma(db, config, id);
}

const notFound = () => new Problem(404, 'Invoice not found');

/** Tax law requires invoices for six years after the financial year of issue: seven at most. */
const YEARS = 7;

/** Erases the buyers of invoices past the retention period; the figures stay. */
export async function forgetOldBuyers(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await erasing(tx, () =>
      sql`
      update invoices set content = jsonb_set(content, '{buyer}', '{"name": "", "address": []}')
      where issued_at < now() - ${sql.lit(YEARS)} * interval '1 year' and content->'buyer'->>'name' <> ''`.execute(tx),
    );
  });
}
