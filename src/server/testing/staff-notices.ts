import { EVERYTHING } from '#contract/settings/staff-events.ts';
import type { SignedIn } from './factories.ts';
import type { TestShop } from './harness.ts';

/** Has the staff of a shop told of everything. Returns what they are told of an order, oldest first. */
export async function noticesOfOrders({ app, db }: Pick<TestShop, 'app' | 'db'>, { headers }: SignedIn) {
  const url = '/api/settings/staff';
  const { version, values } = (await app.inject({ url, headers })).json();
  const notices = [{ event: EVERYTHING, address: 'staff@example.com', when: 'once a day' }];
  await app.inject({ method: 'PUT', url, headers, payload: { version, values: { ...values, notices } } });
  return async (orderId: string): Promise<string[]> => {
    const rows = await db.selectFrom('staffNotices').select('text').where('path', 'like', `%${orderId}%`).orderBy('id').execute();
    return rows.map(({ text }) => text);
  };
}
