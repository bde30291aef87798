import { type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import type { InvoiceContent } from '#contract/invoices/invoices.ts';
import { daysOf } from '#contract/invoices/quarters.ts';
import { type InvoiceKind, numberText, type RateSum, ratesOf, rateText, type VatRate } from '#contract/invoices/vat.ts';
import { SHOP_TIME_ZONE, shopDay } from '#contract/market/shop-time.ts';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inBatches } from '#server/platform/in-batches.ts';

const ZONE = sql.lit(SHOP_TIME_ZONE);

const COLUMNS = [
  'Number',
  'Kind',
  'Date',
  'Order',
  'Corrects',
  'Payment method',
  'VAT rate',
  'Net (pence)',
  'VAT (pence)',
  'Gross (pence)',
];

const rateName = (rate: VatRate | null): string => (rate === null ? 'No VAT' : rateText(rate));

/** The documents of a quarter, oldest first, in batches. */
function documentsOf(db: Db, quarter: string) {
  const { from, before } = daysOf(quarter);
  return inBatches((last: { exactly: string; id: string } | undefined, limit) =>
    db
      .selectFrom('invoices')
      .select(['id', 'kind', 'number', 'issuedAt', 'vatRate', 'vatRates', 'net', 'vat', 'gross', 'content'])
      // API times are cut to milliseconds, but the next batch must start exactly after this one.
      .select(sql<string>`issued_at::text`.as('exactly'))
      .where(sql<SqlBool>`issued_at >= ${from}::timestamp at time zone ${ZONE} and issued_at < ${before}::timestamp at time zone ${ZONE}`)
      .where(sql<SqlBool>`(issued_at, id) > (${last?.exactly ?? '-infinity'}::timestamptz, ${last?.id ?? NIL}::uuid)`)
      .orderBy('issuedAt')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
}

/**
 * Exports a quarter's invoices and credit notes as CSV, in pence, credit notes negative; one row for each rate of a document. Ends with the totals per rate
 * for the VAT return.
 */
export async function* exportVat(db: Db, _: Admin, quarter: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(COLUMNS);
  const sums = new Map<VatRate | null, Record<'net' | 'vat' | 'gross', number>>();
  for await (const documents of documentsOf(db, quarter))
    for (const { kind, number, issuedAt, vatRates, content, ...row } of documents) {
      const { order, corrects } = content as InvoiceContent;
      const sign = kind === 'credit_note' ? -1 : 1;
      const kindText = kind === 'credit_note' ? 'Credit note' : 'Invoice';
      const numbered = [numberText(kind as InvoiceKind, number), kindText, shopDay(issuedAt)];
      const documentCells = [...numbered, order.reference, corrects?.number ?? '', order.paymentMethod];
      const rates = ratesOf({ ...row, vatRates: vatRates as RateSum[] | null });
      const parts = rates.length > 0 ? rates : [{ ...row, rate: null }];
      for (const part of parts) {
        const [net, vat, gross] = [sign * part.net, sign * part.vat, sign * part.gross];
        const sum = sums.get(part.rate) ?? { net: 0, vat: 0, gross: 0 };
        sums.set(part.rate, { net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross });
        yield csvRow([...documentCells, rateName(part.rate), net, vat, gross]);
      }
    }
  for (const [rate, { net, vat, gross }] of sums)
    yield csvRow([`Total of ${quarter}`, 'Total', '', '', '', '', rateName(rate), net, vat, gross]);
}
