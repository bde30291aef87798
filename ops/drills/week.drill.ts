import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Books } from '#contract/books/books.ts';
import { tickSum } from '#contract/books/books.ts';
import { quarterOf } from '#contract/invoices/quarters.ts';
import { vatIn } from '#contract/invoices/vat.ts';
import { DAY_MS, shopDay } from '#contract/market/shop-time.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { StockList } from '#contract/stock/stock.ts';
import { listBrokenRules } from '#server/books/shop-rules.ts';
import { newId } from '#server/platform/ids.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aPromotion } from '#server/testing/factories.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { diceOf, reachProducts } from './buyers.ts';
import { aShopOfItsOwnTime } from './own-time.ts';
import { aPerson, startBrowser } from './person.ts';
import { Week } from './week.ts';

const ORDERS = Number(process.env.WEEK_ORDERS ?? 400);
/** With Easter, the beginning of summer time and the end of a quarter. */
const FIRST_DAY = '2027-03-22';
const DAYS = 10;
/** Until every life has ended, and money has reached the bank. */
const MORE_DAYS = 13;
const CLOSED = ['2027-03-26', '2027-03-29'];
const dayAfter = (days: number) => new Date(Date.parse(FIRST_DAY) + days * DAY_MS).toISOString().slice(0, 10);
const isWorkingDay = (day: string) => new Date(day).getUTCDay() !== 0 && !CLOSED.includes(day);
const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, one) => all + one, 0);

test(`${ORDERS} orders of a week by web and phone, in all their lives: shop, provider, bank, VAT and stock agree to the penny and the piece`, async () => {
  // Large first orders wait for approval.
  const { APPROVAL_ABOVE: _, ...settings } = MANY_ORDERS;
  const shop = await aShopOfItsOwnTime(`${FIRST_DAY}T03:16:00Z`, { ...settings, STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' });
  const { clock, stripe } = shop;
  const products = await reachProducts(shop.url);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const { code } = await aPromotion(shop.db(), { name: 'Spring', code: 'SPRING-10' });
  const week = new Week(shop, diceOf(Number(process.env.WEEK_SEED ?? 1)), products, code, () => aPerson(browser, shop.url));

  /** Waits until no job is due. */
  const untilJobsAreDone = () =>
    eventually(async () => {
      const { rows } = await sql<{
        job: string;
      }>`select name || ' ' || coalesce(last_error, '') as job from jobs where run_at <= now()`.execute(shop.db());
      expect(rows).toEqual([]);
    }, 60);
  const runNight = async (day: string) => {
    for (const [time, job] of [
      ['03:17', 'removeExpired'],
      ['04:07', 'reconcileOutcomes'],
      ['05:07', 'tellOfBook'],
    ] as const) {
      const due = `${day}T${time}:00Z`;
      await shop.setTime(new Date(Date.parse(due) - 2_000).toISOString());
      await eventually(async () => {
        const { rows } = await sql`select from job_schedule where name = ${job} and queued_at = ${due}::timestamptz`.execute(shop.db());
        expect(rows, `${job} at ${due}`).toHaveLength(1);
      }, 30);
      await untilJobsAreDone();
    }
  };

  await week.logIn();
  // A delivery fills the warehouse.
  const stockList = async () => {
    const all: StockList['products'] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const list = await week.call<StockList>('GET', `/api/stock?pageNumber=${page}`);
      pages = list.pages;
      all.push(...list.products);
    }
    return all;
  };
  const lines = (await stockList()).flatMap(({ _id: productId, places }) =>
    places.map(({ size, quantity, aside }) => ({ productId, size, expected: quantity + aside, counted: 500, reason: 'counted' })),
  );
  await week.call('POST', '/api/stock/counts', { body: { sheet: newId(), lines } });
  const readStock = async () =>
    new Map(
      (await stockList()).flatMap(({ _id, countInStock, places }) => [
        [_id, countInStock] as const,
        ...places.flatMap(({ size, quantity }) => (size ? [[`${_id} ${size}`, quantity] as const] : [])),
      ]),
    );
  const stockBefore = await readStock();
  await week.register(80);

  for (let n = 0; n < DAYS + MORE_DAYS; n += 1) {
    const day = dayAfter(n);
    if (n > 0) await runNight(day);
    await shop.setTime(`${day}T09:00:00Z`);
    if (isWorkingDay(day)) await week.work();
    await shop.setTime(`${day}T12:00:00Z`);
    await week.logIn();
    if (n < DAYS) {
      await week.orderOnScreens();
      for (let count = 1; count < ORDERS / DAYS; count += 1) await week.order();
    }
    await shop.setTime(`${day}T17:30:00Z`);
    await untilJobsAreDone();
    if (n % 3 === 2) await week.payOut();
  }
  const last = dayAfter(DAYS + MORE_DAYS - 1);
  await shop.setTime(`${last}T19:00:00Z`);
  await week.logIn();
  await week.call('POST', '/api/office/books/check');
  await untilJobsAreDone();
  expect(week.isDone).toBe(true);
  expect(week.sales).toHaveLength(ORDERS);

  // The provider and the bank, beside the shop's books.
  const entries = await stripe.balanceTransactions.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  const atProvider = (category: string) =>
    sum(entries.filter((entry) => entry.reporting_category === category).map(({ amount }) => amount));
  const fees = sum(entries.map(({ fee }) => fee));
  const bank = -atProvider('payout');
  const { days, faults } = await week.call<Books>('GET', `/api/office/books?from=${FIRST_DAY}&to=${last}`);
  expect(faults).toEqual([]);
  const inBooks = (part: 'taken' | 'refunded' | 'disputed' | 'fees' | 'paidOut') => sum(days.map(({ card }) => card[part]));
  expect({
    taken: inBooks('taken'),
    refunded: inBooks('refunded'),
    disputed: inBooks('disputed'),
    fees: inBooks('fees'),
    paidOut: inBooks('paidOut'),
  }).toEqual({
    taken: atProvider('charge'),
    refunded: 0 - atProvider('refund') - atProvider('refund_failure'),
    disputed: 0 - atProvider('dispute') - atProvider('dispute_reversal'),
    fees,
    paidOut: bank,
  });
  for (const day of days.filter((one) => tickSum(one, 'payouts') > 0))
    await week.call('PUT', '/api/office/books/ticks', {
      body: { day: day.day, kind: 'payouts', isTicked: true, amount: tickSum(day, 'payouts') },
    });

  // Cash, as the driver and the till remember it.
  expect(sum(days.map(({ cash }) => cash.taken - cash.refunded))).toBe(
    sum(week.sales.map(({ collected, handedBack }) => collected - handedBack)),
  );

  // Each order: what its customer has paid and not got back is what its invoices come to, from its tax point on.
  const documents = new Map<string, { gross: number; days: Set<string> }>();
  let [gross, vat] = [0, 0];
  for (const quarter of new Set([quarterOf(`${FIRST_DAY}T12:00:00Z`), quarterOf(`${last}T12:00:00Z`)])) {
    const [head = [], ...rows] = await parseCsv(
      (await week.call<string>('GET', `/api/office/vat?quarter=${quarter}`)).replace('\ufeff', ''),
    );
    const cell = (row: string[], column: string) => row[head.indexOf(column)] ?? '';
    for (const row of rows) {
      if (cell(row, 'Kind') === 'Total') {
        gross += Number(cell(row, 'Gross (pence)'));
        vat += Number(cell(row, 'VAT (pence)'));
        continue;
      }
      const one = documents.get(cell(row, 'Order')) ?? { gross: 0, days: new Set<string>() };
      one.gross += Number(cell(row, 'Gross (pence)'));
      if (cell(row, 'Kind') === 'Invoice') one.days.add(cell(row, 'Date'));
      documents.set(cell(row, 'Order'), one);
    }
  }
  const wrong: string[] = [];
  let kept = 0;
  for (const sale of week.sales) {
    const { reference, status } = await week.read(sale.id);
    const paid = await Promise.all(sale.sessions.map((session) => stripe.checkout.sessions.retrieve(session)));
    const payments = new Set(paid.map(({ payment_intent }) => String(payment_intent)));
    const refunds = entries.filter(
      (entry) =>
        entry.reporting_category === 'refund' &&
        payments.has(String((entry.source as unknown as { payment_intent: string }).payment_intent)),
    );
    const money =
      sum(paid.map(({ amount_total }) => amount_total ?? 0)) + sum(refunds.map(({ amount }) => amount)) + sale.collected - sale.handedBack;
    const { gross: invoiced, days: dates } = documents.get(reference) ?? { gross: 0, days: new Set<string>() };
    const [firstInvoice] = [...dates].sort();
    if (money !== invoiced || firstInvoice !== sale.taxPoint)
      wrong.push(
        `${reference} (${sale.way}, ${sale.life}, ${status}): ${money} kept, ${invoiced} invoiced; tax point ${sale.taxPoint}, invoice of ${firstInvoice}`,
      );
    kept += money;
  }
  expect(wrong).toEqual([]);
  expect([gross, Math.abs(vat - vatIn(gross, 2000)) < ORDERS]).toEqual([kept, true]);

  // Stock.
  const stockAfter = await readStock();
  expect(
    [...stockBefore].flatMap(([key, pieces]) =>
      stockAfter.get(key) === pieces - (week.gone.get(key) ?? 0) ? [] : [`${key}: ${stockAfter.get(key)}`],
    ),
  ).toEqual([]);

  // The shop's own rules, and what waits for a person.
  expect(await listBrokenRules(shop.db())).toEqual([]);
  const { waiting, failedJobs } = await week.call<Today>('GET', '/api/office/today');
  expect(failedJobs).toEqual([]);
  const open = waiting.filter(({ count, place }) => count > 0 && place !== 'stock').map(({ id }) => id);
  process.stdout.write(
    `${JSON.stringify({ orders: week.sales.length, gross, vat, bank, fees, cash: sum(week.sales.map(({ collected, handedBack }) => collected - handedBack)), documents: documents.size, open, until: shopDay(clock.now().toISOString()) })}\n`,
  );
});
