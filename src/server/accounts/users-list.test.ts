import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import type { UserList } from '#contract/accounts/users.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db, { name: 'Zoe Admin', email: 'zoe@example.com' });
const NAMES = ['adam', 'Bella', 'Chris', 'dora', 'Émile', 'O’Hara'];
await db
  .insertInto('users')
  .values(
    Array.from({ length: 236 }, (_, n) => ({
      id: uuid(),
      name: `${NAMES[n % NAMES.length]} ${n % 7}`,
      email: `Person${n}@${n % 2 === 0 ? 'even' : 'odd'}.example`,
      passwordHash: 'none',
      isAdmin: n % 50 === 0,
      // Only five different times, so that many are equal.
      createdAt: new Date(Date.UTC(2025, 0, 1 + (n % 5))).toISOString(),
    })),
  )
  .execute();

async function list(query: string): Promise<UserList> {
  const reply = await app.inject({ url: `/api/users?${query}`, headers: admin.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json<UserList>();
}
const emailsOf = async (query: string) => (await list(query)).users.map(({ email }) => email);

test.each(['', 'sortBy=name', 'sortBy=email', 'role=customer', 'search=person', 'search=even.example&sortBy=name'])(
  'walking the pages of ?%s shows everyone once',
  async (query) => {
    const { pages, total } = await list(query);
    const seen = new Set<string>();
    for (let page = 1; page <= pages; page += 1) {
      const { users } = await list(`${query}&pageNumber=${page}`);
      expect(users).toHaveLength(page < pages ? 10 : total - (pages - 1) * 10);
      for (const { _id } of users) seen.add(_id);
    }
    expect(seen.size).toBe(total);
  },
);

test('each order holds over all pages, read from either end', async () => {
  const all = async (sortBy: string) => {
    const { pages } = await list('');
    const lists = await Promise.all(Array.from({ length: pages }, (_, n) => list(`sortBy=${sortBy}&pageNumber=${n + 1}`)));
    return lists.flatMap(({ users }) => users);
  };
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  const names = (await all('name')).map(({ name }) => name.toLowerCase());
  expect(names).toEqual([...names].sort(compare));
  const emails = (await all('email')).map(({ email }) => email.toLowerCase());
  expect(emails).toEqual([...emails].sort(compare));
  const dates = (await all('newest')).map(({ createdAt }) => createdAt);
  expect(dates).toEqual([...dates].sort(compare).reverse());
});

test('users are found by id, by part of the name or address, whatever the case', async () => {
  const [first] = (await list('search=person17@')).users;
  expect(first?.email).toBe('Person17@odd.example');
  expect(await emailsOf(`search=${first?._id}`)).toEqual(['Person17@odd.example']);
  expect(await emailsOf('search=ZOE%20adm')).toEqual(['zoe@example.com']);
  expect((await list('search=émile')).total).toBe(39);
  expect((await list('search=z')).users.map(({ name }) => name)).toEqual(['Zoe Admin']);
});

test('signs that mean something to the database mean themselves', async () => {
  for (const search of ['%', '_', '%25', '\\', "'", "' or 1=1 --"]) {
    expect((await list(`search=${encodeURIComponent(search)}`)).total).toBe(0);
  }
});

test('a role narrows the list, anything else is no role', async () => {
  expect((await list('role=admin')).total).toBe(6);
  expect((await list('role=customer')).total).toBe(231);
  for (const role of ['', 'null', 'undefined', 'king']) expect((await list(`role=${role}`)).total).toBe(237);
});

test('a malformed page is page 1; past the end the list is empty and the pages are true', async () => {
  const firstPage = await list('');
  for (const page of ['0', '-3', 'x', '', 'null', 'undefined']) expect(await list(`pageNumber=${page}`)).toEqual(firstPage);
  expect(firstPage).toMatchObject({ page: 1, pages: 24, total: 237 });
  expect(await list('pageNumber=25')).toEqual({ users: [], page: 25, pages: 24, total: 237 });
  expect(await list('search=nobody-at-all')).toEqual({ users: [], page: 1, pages: 1, total: 0 });
});

test('a list holds nothing but the account and its tags', async () => {
  for (const user of (await list('')).users)
    expect(Object.keys(user).sort()).toEqual(['_id', 'createdAt', 'email', 'isAdmin', 'name', 'tags']);
});
