import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { statementsOf } from '#server/platform/database/apply-migration.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const admin = await anAdmin(db);
const send = (method: 'POST' | 'PUT', url: string, payload: object, who: SignedIn = admin) =>
  app.inject({ method, url, headers: who.headers, payload });

/** A cash order of a sofa at £600 and two lamps at £200. */
async function anOrder() {
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { price: 60_000 }), await aProduct(db, { name: 'Lamp', price: 20_000 })];
  const placed = await send('POST', '/api/orders', aPayload([aLine(sofa), aLine(lamp, { qty: 2 })]), buyer);
  const { _id } = placed.json<Order>();
  const read = async () => (await app.inject({ url: `/api/orders/${_id}`, headers: admin.headers })).json<Order>();
  return {
    cash: () => send('PUT', `/api/orders/${_id}/cash`, { isPaid: true }),
    deliver: () => send('PUT', `/api/orders/${_id}/deliver`, { isDelivered: true }),
    cancel: (payload: object, who = admin) =>
      send(
        'POST',
        who === admin ? `/api/office/orders/${_id}/cancel` : `/api/orders/${_id}/cancel`,
        { reason: 'Another reason', ...payload },
        who,
      ),
    refund: (payload: object) => send('POST', `/api/office/orders/${_id}/refunds`, { reason: 'Goodwill', ...payload }),
    /** Returns a piece of a line, which is restocked at the sum that the shop proposes. */
    async takeBack(line: number) {
      await send('POST', `/api/orders/${_id}/returns`, { lines: [{ line, qty: 1 }], reason: 'Damaged or faulty' }, buyer);
      const { returns } = await read();
      const url = `/api/office/returns/${returns.at(-1)?._id}`;
      await send('POST', `${url}/judge`, { isApproved: true });
      return send('POST', `${url}/received`, { lines: [{ line, restocked: 1, spoiled: 0 }] });
    },
    buyer,
    read,
  };
}

test('a piece that was cancelled before the payment has nothing to refund', async () => {
  const { cash, cancel, refund } = await anOrder();
  expect((await cancel({ pieces: [{ line: 1, qty: 2 }] })).statusCode).toBe(200);
  expect((await cash()).statusCode).toBe(200);
  const refused = await refund({ lines: [{ line: 1, qty: 1 }] });
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'Lamp has already been refunded.']);
});

test.each(['before', 'after'])(
  'a piece that is refunded, and then returned, is paid back once where another was cancelled %s the payment',
  async (when) => {
    const { cash, deliver, cancel, refund, takeBack, read } = await anOrder();
    const steps = [cash, () => cancel({ pieces: [{ line: 1, qty: 1 }] })];
    for (const step of when === 'before' ? steps.toReversed() : steps) expect((await step()).statusCode).toBe(200);
    await deliver();
    expect((await refund({ lines: [{ line: 1, qty: 1 }] })).statusCode).toBe(200);
    expect((await takeBack(1)).statusCode).toBe(200);
    const { refunds, waivedPrice } = await read();
    expect(refunds.reduce((sum, { amount }) => sum + amount, waivedPrice)).toBe(40_000);
  },
);

test.each(['cancelled', 'returned'])('£10 back for a piece is a part of its price, whose rest goes back once it is %s', async (way) => {
  const { buyer, cash, deliver, cancel, refund, takeBack, read } = await anOrder();
  await cash();
  if (way === 'returned') await deliver();
  expect((await refund({ amount: 1_000, lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(200);
  expect((way === 'returned' ? await takeBack(0) : await cancel({ lines: [0] }, buyer)).statusCode).toBe(200);
  expect((await read()).refundedPrice).toBe(60_000);
});

/** Runs migration 0926 over an order whose lamps were cancelled by the version before, which counted none of them as settled. */
async function migrated({ read }: Awaited<ReturnType<typeof anOrder>>, refunded: number): Promise<number | undefined> {
  const { _id } = await read();
  await db.updateTable('orderItems').set({ refundedQty: refunded }).where('orderId', '=', _id).where('position', '=', 1).execute();
  const migration = (await readMigrations()).find(({ name }) => name === '0926_settled_before_the_payment');
  for (const statement of migration ? statementsOf(migration) : []) await sql.raw(statement).execute(db);
  return (await read()).orderItems[1]?.refundedQty;
}
const setMigrated = (time: string) => sql`update kysely_migration set timestamp = ${time} where name = '0923_refund_days'`.execute(db);

test('a migration settles what the version before cancelled of an order before its payment, beside what it refunded since', async () => {
  const [unpaid, paid, refunded] = [await anOrder(), await anOrder(), await anOrder()];
  for (const { cancel } of [unpaid, paid, refunded]) await cancel({ pieces: [{ line: 1, qty: 1 }] });
  await paid.cash();
  await refunded.cash();
  await setMigrated(new Date(Date.now() + 60_000).toISOString());
  expect([await migrated(unpaid, 0), await migrated(paid, 0), await migrated(refunded, 1)]).toEqual([1, 1, 2]);
});

test('the migration leaves what this version has settled already', async () => {
  const [unpaid, paid] = [await anOrder(), await anOrder()];
  await setMigrated(new Date(Date.now() - 60_000).toISOString());
  for (const { cancel } of [unpaid, paid]) await cancel({ pieces: [{ line: 1, qty: 1 }] });
  await paid.cash();
  expect([await migrated(unpaid, 1), await migrated(paid, 1)]).toEqual([1, 1]);
});
