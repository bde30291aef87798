import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import type { Invoice, InvoiceContent, InvoiceSummary } from '#contract/invoices/invoices.ts';
import { type InvoiceKind, numberText, type RateSum, ratesOf } from '#contract/invoices/vat.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { erasing } from '#server/platform/database/erasing.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { isId } from '#server/platform/ids.ts';

const COLUMNS = ['invoices.id', 'invoices.kind', 'number', 'issuedAt', 'vatRate', 'vatRates', 'net', 'vat', 'gross'] as const;
type Row = Pick<Selectable<DB['invoices']>, 'id' | 'kind' | 'number' | 'issuedAt' | 'vatRate' | 'vatRates' | 'net' | 'vat' | 'gross'>;

function summaryOf({ id, kind: stored, number, vatRates, ...figures }: Row): InvoiceSummary {
  const kind = stored as InvoiceKind;
  const rates = ratesOf({ ...figures, vatRates: vatRates as RateSum[] | null });
  return { _id: id, kind, number: numberText(kind, number), ...figures, rates };
}

/** An order's invoice and credit notes, oldest first. */
export async function listInvoices(db: Db, orderId: string): Promise<InvoiceSummary[]> {
  const rows = await db
    .selectFrom('invoices')
    .select(COLUMNS)
    .where('orderId', '=', orderId)
    .orderBy('issuedAt')
    .orderBy('invoices.id')
    .execute();
  return rows.map(summaryOf);
}

/** The invoices and credit notes that the caller's transaction has issued. */
export async function listNewInvoices(tx: Tx, orderId: string): Promise<{ _id: string; number: string }[]> {
  const rows = await tx
    .selectFrom('invoices')
    .select(['id', 'kind', 'number'])
    .where('orderId', '=', orderId)
    .where('issuedAt', '>=', sql<string>`now()`)
    .orderBy('issuedAt')
    .execute();
  return rows.map(({ id, kind, number }) => ({ _id: id, number: numberText(kind as InvoiceKind, number) }));
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

/** Reads an invoice or credit note for its order's owner or an administrator who may see orders. Throws 404 for anyone else. */
export async function readInvoice(db: Db, who: Customer, id: string): Promise<Invoice> {
  let statement = selectInvoice(db, id);
  if (!may(who, 'see orders')) statement = statement.where('orders.userId', '=', who._id);
  const row = isId(id) ? await statement.executeTakeFirst() : undefined;
  if (!row) throw new Problem(404, 'Invoice not found');
  return invoiceOf(row);
}

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
