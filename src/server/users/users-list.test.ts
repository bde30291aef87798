import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { UserList } from '#contract/users.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
let t0 = performance.now();
await sql`insert into users (id, name, email, password_hash, is_admin, created_at)
  select uuidv7(), (array['Anna','bertha','Clara','Dora','emil','Fritz','Gustav','Hanna'])[1 + n % 8] || ' ' || md5(n::text), 'user' || n || '@example.com', 'x', n % 1000 = 0, now() - make_interval(mins => n)
  from generate_series(1, 100000) n`.execute(db);
console.log('insert', performance.now() - t0);
await sql`analyze users`.execute(db);

test.each([
  '', '?pageNumber=5000', '?pageNumber=10001', '?sortBy=name', '?sortBy=email', '?sortBy=name&pageNumber=5000', '?sortBy=email&pageNumber=10000',
  '?search=user4242', '?search=example.com', '?search=example&pageNumber=9000&sortBy=name', '?search=an', '?search=zzzzzz', '?role=admin', '?role=customer', '?role=customer&pageNumber=9000',
])('%s', async (query) => {
  const times = [];
  for (let n = 0; n < 7; n++) {
    const t = performance.now();
    const r = await app.inject({ url: `/api/users${query}`, headers: admin.headers });
    expect(r.statusCode).toBe(200);
    times.push(performance.now() - t);
  }
  console.log(query, times.map((t) => t.toFixed(1)).join(' '));
});
