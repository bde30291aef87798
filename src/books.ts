import { parseArgs } from 'node:util';
import { type BookDay, tickSum } from '#contract/books/books.ts';
import { pounds } from '#contract/market/money.ts';
import { dayPlus, shopDay, shopTime } from '#contract/market/shop-time.ts';
import { type CommandServices, withShop } from '#server/app/with-shop.ts';
import { bookText, listFaults, readDays } from '#server/books/books.service.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { Payments } from '#server/gateways/payments.ts';
import { runCommandLine, say } from '#server/platform/command.ts';
import { openLog } from '#server/platform/log.ts';

const USAGE = `Usage:
  npm run books                      checks the books and prints yesterday: what was taken, refunded and paid out, and what does not agree
  npm run books -- --day 2026-11-25  prints another day
  npm run books -- --all             checks all orders and documents by the shop's own rules, not only those of the last month

The payment provider is read where STRIPE_SECRET_KEY is set; else what the shop last read counts. Ends with an error where something does not agree.
`;

/** Reads the provider and compares, where its key is known. A shop with the sandbox does so itself each hour. */
async function check({ db, config }: CommandServices): Promise<void> {
  if (config.stripe) await checkBooks({ db, config, payments: new Payments(config.stripe, openLog('error')) });
}

/** A day's sums, a line each. */
function linesOf(book: BookDay): string[] {
  const { card, cash, driver, ticks } = book;
  const ticked = (kind: 'payouts' | 'cash') =>
    ticks[kind] && ticks[kind].amount === tickSum(book, kind) ? `, ticked by ${ticks[kind].actor}` : '';
  return [
    `Card:   ${card.orders} orders for ${pounds(card.due)}; the provider took ${pounds(card.taken)}, refunded ${pounds(card.refunded)}, fees ${pounds(card.fees)}, disputes ${pounds(card.disputed)}`,
    `Paid out to the bank: ${pounds(card.paidOut)}${ticked('payouts')}`,
    `Cash:   ${cash.orders} orders, ${pounds(cash.taken)} taken, ${pounds(cash.refunded)} paid back${ticked('cash')}`,
    `Driver: ${driver.delivered} delivered for ${pounds(driver.due)}, ${pounds(driver.taken)} recorded, ${driver.open} without their cash`,
  ];
}

async function run(): Promise<void> {
  const options = { day: { type: 'string' }, all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ options });
  if (values.help) return say(USAGE);
  const day = values.day ?? dayPlus(shopDay(new Date().toISOString()), -1);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) throw new Error(USAGE);
  await withShop(async (services) => {
    const { db } = services;
    await check(services);
    const [book] = await readDays(db, { from: day, to: day });
    const checked = await db.selectFrom('bookCheck').select('checkedAt').executeTakeFirst();
    const faults = await listFaults(db);
    if (book) say([bookText(book, faults.length), ...linesOf(book)].join('\n'));
    say(checked ? `Compared with the provider at ${shopTime(checked.checkedAt)}.` : 'Never compared with the provider yet.');
    for (const { text, advice } of faults) say(`- ${text}\n  ${advice}`);
    const broken = values.all ? await listBrokenRuleTexts(db) : [];
    for (const text of broken) say(`- ${text}`);
    if (values.all && broken.length === 0) say('All orders and documents keep the shop’s rules.');
    if (faults.length + broken.length > 0) process.exitCode = 1;
  });
}

await runCommandLine(run, USAGE);
