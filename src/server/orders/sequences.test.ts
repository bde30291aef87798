import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { expireHold } from '#server/payments/payments.jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { runs } from '#server/testing/runs.ts';

const shop = await testShop({ pool: 20, env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db, services } = shop;
const { checkout, notify, orderOf, reconcile, refunds } = cardDesk(shop);

const ACTIONS = ['order', 'check out', 'pay', 'pay the wrong amount', 'expire', 'hold over', 'reconcile', 'pay late'] as const;
interface Step {
  action: (typeof ACTIONS)[number];
  product: number;
  qty: number;
  /** Which of the checkouts so far, counted round. */
  which: number;
  isWithSize: boolean;
}
const steps = fc.array(
  fc.record<Step>({
    action: fc.constantFrom(...ACTIONS),
    product: fc.nat(1),
    qty: fc.integer({ min: 1, max: 3 }),
    which: fc.nat(9),
    isWithSize: fc.boolean(),
  }),
  { minLength: 3, maxLength: 14 },
);

interface Run {
  products: Awaited<ReturnType<typeof aProduct>>[];
  sessions: { id: string; url: string }[];
}

/** One thing that happens; several may happen at the same time. */
async function happen({ action, product, qty, which, isWithSize }: Step, { products, sessions }: Run): Promise<void> {
  const chosen = products[product] ?? products[0];
  if (!chosen) return;
  // One buyer each: a buyer's next purchase ends their own holds.
  const line = aLine(chosen, { qty, ...(isWithSize && { size: 'S' }) });
  if (action === 'order') await placeCash(await aCustomer(db), line);
  if (action === 'check out') {
    const { sessionId, url } = await checkout(await aCustomer(db), [line]);
    if (sessionId) sessions.push({ id: sessionId, url });
  }
  if (action === 'reconcile') await reconcile();
  const session = sessions[which % Math.max(1, sessions.length)];
  if (!session) return;
  const { id, totalPrice } = await orderOf(session.id);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: null };
  if (action === 'pay') await pay(session.url);
  if (action === 'pay the wrong amount') await notify('checkout.session.completed', session.id, { ...paid, amount_total: totalPrice + 1 });
  if (action === 'expire') await notify('checkout.session.expired', session.id, { status: 'expired', payment_status: 'unpaid' });
  if (action === 'hold over') await expireHold(services, { orderId: id });
  if (action === 'pay late') await notify('checkout.session.completed', session.id, paid);
}

const placeCash = (buyer: SignedIn, line: ReturnType<typeof aLine>) =>
  app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) });

/** Pieces that are in stock, and those that orders hold or have bought, of a product and of its size. */
async function piecesOf(productId: string) {
  const { rows } = await sql<{ stock: number; size: number; taken: number; takenSize: number }>`
    select p.count_in_stock as stock, s.quantity as size,
      (select coalesce(sum(i.qty), 0)::int from order_items i join orders o on o.id = i.order_id
        where i.product_id = p.id and o.status in ('placed', 'awaiting_payment')) as taken,
      (select coalesce(sum(i.qty), 0)::int from order_items i join orders o on o.id = i.order_id
        where i.product_id = p.id and i.size = 'S' and o.status in ('placed', 'awaiting_payment')) as taken_size
    from products p join product_sizes s on s.product_id = p.id where p.id = ${productId}`.execute(db);
  return rows[0];
}

/** What must hold after whatever happened: nothing is lost, nothing below 0, every total is the sum, and a history has one end. */
async function checkBooks(run: Run, stock: number): Promise<void> {
  for (const { _id } of run.products) {
    const pieces = await piecesOf(_id);
    expect([(pieces?.stock ?? 0) + (pieces?.taken ?? 0), (pieces?.size ?? 0) + (pieces?.takenSize ?? 0)]).toEqual([stock, stock]);
    expect(Math.min(pieces?.stock ?? -1, pieces?.size ?? -1)).toBeGreaterThanOrEqual(0);
  }
  const ids = run.products.map(({ _id }) => _id);
  const { rows } = await sql<{ status: string; isPaid: boolean; sum: number; subtotal: number; paid: number; refunds: number }>`
    select o.status, o.paid_at is not null as is_paid, o.sub_total_price as subtotal,
      (select sum(qty * price)::int from order_items i where i.order_id = o.id) as sum,
      (select count(*)::int from order_events e where e.order_id = o.id and e.kind = 'paid') as paid,
      (select count(*)::int from order_events e where e.order_id = o.id and e.kind in ('refund started', 'refund by hand needed')) as refunds
    from orders o where exists (select from order_items i where i.order_id = o.id and i.product_id = any(${ids}::uuid[]))`.execute(db);
  for (const { status, isPaid, sum, subtotal, paid, refunds: given } of rows) {
    expect(subtotal).toBe(sum);
    expect([paid, given]).toEqual([status === 'placed' && isPaid ? 1 : 0, status === 'refunded' ? 1 : 0]);
  }
}

test('over any sequence of orders, holds, payments, expiries and refunds no piece is lost and every book is right (§11.1)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, fc.boolean(), async (stock, list, isAtOnce) => {
      const products = [
        await aProduct(db, { stock, sizes: [{ size: 'S', quantity: stock }] }),
        await aProduct(db, { stock, sizes: [{ size: 'S' }] }),
      ];
      const run: Run = { products, sessions: [] };
      const half = Math.floor(list.length / 2);
      for (const step of list.slice(0, half)) await happen(step, run);
      if (isAtOnce) await Promise.all(list.slice(half).map((step) => happen(step, run)));
      else for (const step of list.slice(half)) await happen(step, run);
      await checkBooks(run, stock);
    }),
    { numRuns: runs(8) },
  );
});

test('whatever order a payment, its lateness and a rival come in, money is either kept with the piece or given back with none', async () => {
  await runJobs(services);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(['expire', 'rival', 'pay', 'pay again', 'hold over', 'reconcile'] as const, { minLength: 3 }),
      async (list) => {
        const sofa = await aProduct(db, { stock: 1, price: 12_345 });
        const { sessionId, url } = await checkout(await aCustomer(db), [aLine(sofa)]);
        const { id } = await orderOf(sessionId);
        const before = (await refunds()).length;
        for (const step of list) {
          if (step === 'expire') await notify('checkout.session.expired', sessionId, { status: 'expired', payment_status: 'unpaid' });
          if (step === 'rival') await placeCash(await aCustomer(db), aLine(sofa));
          if (step === 'pay') await pay(url);
          if (step === 'pay again') await pay(url);
          if (step === 'hold over') await expireHold(services, { orderId: id });
          if (step === 'reconcile') await reconcile();
        }
        await runJobs(services);
        const { status, paidAt } = await orderOf(sessionId);
        const back = (await refunds()).length - before;
        const { rows } = await sql<{ sold: number; left: number }>`
        select (select count(*)::int from orders o join order_items i on i.order_id = o.id where i.product_id = ${sofa._id} and o.status = 'placed') as sold,
          (select count_in_stock from products where id = ${sofa._id}) as left`.execute(db);
        const held = status === 'awaiting_payment' ? 1 : 0;
        expect((rows[0]?.sold ?? 0) + (rows[0]?.left ?? 0) + held).toBe(1);
        expect([paidAt !== null, back]).toEqual([status === 'placed' || status === 'refunded', status === 'refunded' ? 1 : 0]);
      },
    ),
    { numRuns: runs(6) },
  );
});
