import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import type { TestShop } from '#server/testing/harness.ts';

/** Who sends, and whose things are asked for. Some may be used up: products that are deleted, accounts that are demoted, sessions that end. */
export interface Actors {
  headers: {
    visitor: object;
    customer: { bearer: string };
    admin: { bearer: string };
    stranger: { bearer: string };
    leaver: { bearer: string };
  };
  /** Ids that calls may read. */
  kept: string[];
  /** Ids that calls may change and delete. */
  spare: string[];
  /** A JSON body with the fields of every call, all of them right. */
  good: Record<string, unknown>;
}

/** A cast of its own for some thousand exchanges, so that later ones still meet live sessions and things that exist. */
export async function newActors({ app, db }: Pick<TestShop, 'app' | 'db'>): Promise<Actors> {
  const [customer, admin, leaver, victim] = [await aCustomer(db), await anAdmin(db), await aCustomer(db), await aCustomer(db)];
  const product = await aProduct(db, { stock: 1_000_000, sizes: [{ size: 'S' }], colors: ['Oak'] });
  const doomed = await aProduct(db, { stock: 5 });
  const line = aLine(product, { size: 'S' });
  const payload = aPayload([line]);
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: customer.headers, payload });
  const order: string = placed.json()._id;
  return {
    headers: { visitor: {}, customer: customer.headers, admin: admin.headers, stranger: { bearer: 'x' }, leaver: leaver.headers },
    kept: [product._id, customer._id, order],
    spare: [doomed._id, victim._id, order],
    good: {
      ...payload,
      name: 'A',
      email: victim.email,
      password: 'long enough',
      currentPassword: 'x',
      newPassword: 'long enough',
      otp: '123456',
      device: 'x'.repeat(32),
      isDelivered: true,
      isPaid: true,
      isAdmin: false,
      stage: 'packing',
      reason: 'Another reason',
      amount: 100,
      isRestocked: true,
      ids: [order],
      lines: [line],
    },
  };
}
