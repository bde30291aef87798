import type { Order } from '#contract/orders/orders.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { approve } from './fulfil.service.ts';
import { readOrder } from './read.service.ts';
import { lockListed } from './transitions.service.ts';

/** Lets a first order of a new account leave the shop; saying it twice changes nothing. Throws 404, and 409 where the order has ended. */
export async function approveOrder({ db }: Pick<Services, 'db'>, who: Admin, id: string): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    await approve(tx, who, await lockListed(tx, id));
  });
  return readOrder(db, who, id);
}
