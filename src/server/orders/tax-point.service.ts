import { sql } from 'kysely';
import { issueInvoice } from '#server/invoices/issue.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { LockedOrder } from './transitions.service.ts';

/**
 * Issues the invoice of a locked order at its tax point: once it is paid or the first of it has left (HMRC notice 700, section 14). It leaves out what was
 * cancelled before. Does nothing for an order that has its invoice, or is from before the shop issued any.
 */
export async function invoiceOnce(
  tx: Tx,
  config: Pick<Config, 'company' | 'vat'>,
  { id, awaitsInvoice }: Pick<LockedOrder, 'id' | 'awaitsInvoice'>,
): Promise<void> {
  if (!awaitsInvoice) return;
  await sql`update order_items set left_out_qty = cancelled_qty where order_id = ${id} and cancelled_qty > 0`.execute(tx);
  await issueInvoice(tx, config, id);
}
