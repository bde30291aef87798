import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db } = shop;
const customer = await aCustomer(db);

/** From now on each order fails in the database as it does with this code. */
async function failWith(code: string): Promise<void> {
  await sql
    .raw(`create or replace function fail() returns trigger language plpgsql as $$ begin raise exception using errcode = '${code}'; end $$`)
    .execute(db);
  await sql`create or replace trigger fails before insert on orders for each row execute function fail()`.execute(db);
}
const mend = () => sql`drop trigger if exists fails on orders`.execute(db);
afterEach(mend);

const place = async () =>
  app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: (await aCustomer(db)).headers,
    payload: aPayload([aLine(await aProduct(db))]),
  });
const ready = async () => (await app.inject({ url: '/readyz' })).statusCode;

test.each(['57014', '55P03', '40001', '40P01', '25006', '53000', '53100', '53200', '53300', '53400', '58030', '57P03', '08006'])(
  'a state of the database that passes is 503 with the seconds to wait, never a 500: %s',
  async (code) => {
    await failWith(code);
    const refused = await place();
    expect([refused.statusCode, refused.json().message]).toEqual([503, expect.stringMatching(/Please try again in a/)]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await mend();
    expect((await place()).statusCode).toBe(201);
  },
);

test('a statement that takes too long is 503, not a 500', async () => {
  const sofa = await aProduct(db);
  const locking = await shop.services.pool.connect();
  await locking.query('begin');
  await locking.query('select from products where id = $1 for update', [sofa._id]);
  const database = sql.id(new URL(shop.databaseUrl).pathname.slice(1));
  await sql`alter database ${database} set lock_timeout = '100ms'`.execute(db);
  const other = await testShop({
    database: { ...(await import('#server/platform/database/connect.ts')).connect(shop.databaseUrl), url: shop.databaseUrl },
  });
  const refused = await other.app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: customer.headers,
    payload: aPayload([aLine(sofa)]),
  });
  await sql`alter database ${database} reset lock_timeout`.execute(db);
  await locking.query('rollback');
  locking.release();
  expect([refused.statusCode, refused.json().message]).toEqual([503, expect.stringContaining('very busy')]);
});

test('ready says that the database’s disk is full, until there is room again', async () => {
  expect(await ready()).toBe(200);
  await failWith('53100');
  // Nothing can grow: what the probe would write fails as the order does.
  await sql`create function no_room() returns event_trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$`.execute(
    db,
  );
  await sql`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_room()`.execute(db);
  expect((await place()).statusCode).toBe(503);
  const full = await app.inject({ url: '/readyz' });
  expect([full.statusCode, full.json().message]).toEqual([503, 'The database has no room: its disk is full.']);
  expect((await app.inject({ url: '/api/products' })).statusCode).toBe(200);
  await sql`drop event trigger full_disk`.execute(db);
  await mend();
  expect([await ready(), (await place()).statusCode]).toEqual([200, 201]);
});

test('a number that no column holds is 400', async () => {
  await failWith('22003');
  expect((await place()).statusCode).toBe(400);
});
