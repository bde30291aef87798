import { expect, test } from 'vitest';
import { cuttableDatabase } from '#server/testing/cuttable.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const database = await cuttableDatabase();
const { app, db, services } = await testShop({ render, database });
const buyer = await aCustomer(db);
const [sofa, other] = [await aProduct(db, { stock: 5 }), await aProduct(db)];
const order = () => app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(sofa)]) });
const MESSAGE = 'The shop is not available right now. Please try again in a moment.';

test('while the database is away every call says so with 503, pages can be read, and all comes back by itself', async () => {
  services.invalidation.watch();
  expect((await order()).statusCode).toBe(201);
  for (const url of ['/shop', `/product/${sofa._id}`]) expect((await app.inject({ url })).payload).toContain(sofa.name);

  await database.cut();
  const login = { email: buyer.email, password: PASSWORD };
  for (const reply of [
    await order(),
    await app.inject({ method: 'POST', url: '/api/users/login', payload: login }),
    await app.inject({ url: '/api/products?search=never-asked-before' }),
    await app.inject({ url: '/api/orders/myorders', headers: buyer.headers }),
  ]) {
    expect([reply.statusCode, reply.json()]).toEqual([503, { message: MESSAGE }]);
    expect(reply.headers['retry-after']).toBe('5');
  }
  expect([(await app.inject({ url: '/healthz' })).statusCode, (await app.inject({ url: '/readyz' })).statusCode]).toEqual([200, 503]);
  // Here the process notices that it cannot ask for changes.
  await services.invalidation.catchUp();
  for (const url of ['/shop', `/product/${sofa._id}`]) {
    const page = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([page.statusCode, page.payload.includes(sofa.name)]).toEqual([200, true]);
  }
  // A page that nobody has asked for says why it is not there.
  const page = await app.inject({ url: `/product/${other._id}`, headers: { accept: 'text/html' } });
  expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(page.payload).toContain('<header');
  expect(page.payload).toContain(MESSAGE);
  expect(page.payload).not.toMatch(/ECONN|at .*\.ts/);

  await database.mend();
  await eventually(async () => expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200));
  expect((await order()).statusCode).toBe(201);
  const shop = await app.inject({ url: '/shop' });
  expect([shop.statusCode, shop.payload.includes(sofa.name), shop.payload.includes(MESSAGE)]).toEqual([200, true, false]);
  expect((await app.inject({ url: `/product/${sofa._id}` })).payload).toContain(sofa.name);
  await services.invalidation.stop();
});

test('an order that the database takes down with it is not acknowledged, and can be sent again with its key', async () => {
  const headers = { ...buyer.headers, 'idempotency-key': 'across the outage' };
  const send = () => app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(sofa)]) });
  const blocker = await services.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from products where id = $1 for update', [sofa._id]);
  const stuck = send();
  await eventually(async () => {
    const { rows } = await services.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%order by id for update%'",
    );
    expect(rows).toHaveLength(1);
  });
  await database.cut();
  expect((await stuck).statusCode).toBe(503);
  blocker.release(true);
  await database.mend();
  await eventually(async () => expect((await send()).statusCode).toBe(201));
  expect((await send()).statusCode).toBe(201);
  const { rows } = await services.pool.query("select from orders where idempotency_key = 'across the outage'");
  expect(rows).toHaveLength(1);
});
