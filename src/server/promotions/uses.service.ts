import { sql } from 'kysely';
import { type Applied, comparableCode, type FirstFree, type MeantFor, type Offered, tidyCode } from '#contract/promotions/discount.ts';
import type { Services } from '#server/context/services.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { limit, uncount } from '#server/sessions/rate-limit.service.ts';

/** The goods of a promotion's row. */
export const GOODS = sql`jsonb_build_object('categories', categories, 'brands', brands, 'products', products)`;

/** Codes with the same letters and digits as a typed one. */
export const isSameCode = (typed: string) => sql<boolean>`replace(code, '-', '') = ${comparableCode(typed)}`;

/** The promotion of a typed code. Of older codes that differ only by hyphens, the one as typed comes first, then those that are on. */
const idOfCode = (typed: string) =>
  sql<
    string | null
  >`(select id from promotions where ${isSameCode(typed)} order by code = ${tidyCode(typed)} desc, is_on desc, id desc limit 1)`;

/** The condition of the automatic promotions and of the one with the code, also if that is off or over: its customer is told why it is refused. */
const automaticOrOfCode = (code: string) =>
  sql`(p.id = ${idOfCode(code)} or (p.code is null and p.is_on and (p.ends_at is null or p.ends_at > now())))`;

/** The condition of a customer's orders that count as uses. For a cart, their own open card checkout does not count, since a new one replaces it. */
const countsAsUse = (userId: string | null, isCart: boolean) => sql`
  o.user_id = ${userId}::uuid and holds_promotions(o.order_state) ${isCart ? sql`and o.order_state <> 'awaiting_payment'` : sql``}`;

/** Automatic promotions and the code's, oldest first, each with its availability for a customer. */
async function readOffered(db: Db, code: string, userId: string | null, isCart: boolean): Promise<Offered[]> {
  const usesOfCustomer = sql`from redemptions r join orders o on o.id = r.order_id where r.promotion_id = p.id and r.is_used and o.user_id = ${userId}::uuid`;
  const lessOpenCheckout = isCart ? sql`- (select count(*) ${usesOfCustomer} and o.order_state = 'awaiting_payment')` : sql``;
  const { rows } = await sql<Offered>`
    select id as _id, name, code, kind, value, least_subtotal, starts_at, ends_at, most_uses, most_uses_each, is_first_order, is_on,
      ${GOODS} as goods,
      case
        when most_uses is not null and (select count(*) from redemptions r where r.promotion_id = p.id and r.is_used) ${lessOpenCheckout} >= most_uses then 'all'
        when most_uses_each is not null and (select count(*) ${usesOfCustomer} and ${countsAsUse(userId, isCart)}) >= most_uses_each then 'customer'
        when is_first_order and exists (select from orders o where ${countsAsUse(userId, isCart)}) then 'not first'
      end as spent
    from promotions p where ${automaticOrOfCode(code)} order by id`.execute(db);
  return rows;
}

/** The promotions available to a cart. Uses none of them. */
export const readForCart = (db: Db, code: string, userId: string | null): Promise<Offered[]> => readOffered(db, code, userId, true);

/** Promotions with a limit on uses, or for first orders only. */
const hasLimit = sql`(p.most_uses is not null or p.most_uses_each is not null or p.is_first_order)`;

/**
 * The promotions available to an order. Locks those with a limit until commit, so that the last use goes to one order; the others wait, and then find it
 * used up. Those without a limit can be used by others meanwhile, but not deleted. Call it after the products are locked, always in this order.
 */
export async function lockForOrder(tx: Tx, code: string, userId: string): Promise<Offered[]> {
  const { rows } = await sql<{ found: number }>`
    select (select count(*) from (select from promotions p where ${automaticOrOfCode(code)} and ${hasLimit} order by id for update) limited)
      + (select count(*) from (select from promotions p where ${automaticOrOfCode(code)} and not ${hasLimit} for key share) others) as found`.execute(
    tx,
  );
  // A separate statement: one that waits for a lock counts the uses as they were before it waited.
  return rows[0]?.found ? readOffered(tx, code, userId, false) : [];
}

/** Stores the promotions of a new order, each as a use, with the terms by which its discount was worked out: staff may change them meanwhile and afterwards. */
export async function redeem(tx: Tx, orderId: string, applied: readonly Applied[]): Promise<void> {
  if (applied.length === 0) return;
  const rows = applied.map(({ _id: promotionId, name, code, amount: discount, isFreeDelivery, terms }) => ({
    orderId,
    promotionId,
    name,
    code,
    discount,
    isFreeDelivery,
    ...terms,
  }));
  await tx.insertInto('redemptions').values(rows).execute();
}

/** Removes free delivery from an order whose new delivery method the promotion does not make free. */
export async function dropFreeDelivery(tx: Tx, orderId: string): Promise<void> {
  await tx.deleteFrom('redemptions').where('orderId', '=', orderId).where('isFreeDelivery', '=', true).execute();
}

/** Whether delivery is free for an order by one of its promotions. */
export async function hasFreeDelivery(tx: Tx, orderId: string): Promise<boolean> {
  const found = tx.selectFrom('redemptions').select('orderId').where('orderId', '=', orderId).where('isFreeDelivery', '=', true);
  return (await found.executeTakeFirst()) !== undefined;
}

/** A promotion that made an order's delivery free, or certain pieces free or cheaper. */
export type EarnedPromotion = Pick<Offered, 'name' | 'kind' | 'leastSubtotal' | 'goods'> & {
  isFreeDelivery: boolean;
  meantFor: MeantFor | null;
};

/** The terms of an order's promotions as they were when it used them. Orders of earlier versions have not stored them, so today's apply. */
const termsThen = (orderId: string) => sql`(
  select r.name, r.promotion_id as id, r.is_free_delivery, coalesce(r.least_subtotal, p.least_subtotal) as least_subtotal, coalesce(r.kind, p.kind) as kind,
    coalesce(r.value, p.value) as value, coalesce(r.goods, ${GOODS}) as goods, r.meant_for
  from redemptions r join promotions p on p.id = r.promotion_id where r.order_id = ${orderId}::uuid) terms`;

/** The earned promotions of an order, as they were when it used them. */
export async function listEarnedPromotions(tx: Tx, orderId: string): Promise<EarnedPromotion[]> {
  const { rows } = await sql<EarnedPromotion>`
    select name, kind, least_subtotal, is_free_delivery, goods, meant_for from ${termsThen(orderId)}
    where kind = 'first_free' or is_free_delivery or goods @? '$.*[*]' order by id`.execute(tx);
  return rows;
}

/** The promotions of an order that made first pieces free, as they were when it used them. */
export async function readFirstFree(tx: Tx, orderId: string): Promise<FirstFree[]> {
  const { rows } = await sql<FirstFree>`
    select value, goods, meant_for from ${termsThen(orderId)} where kind = 'first_free' order by id`.execute(tx);
  return rows;
}

/** Whether an expired order's promotions are still available, for a late payment. Locks those with a limit. */
export async function canUseAgain(tx: Tx, orderId: string): Promise<boolean> {
  await sql`
    select id from promotions p where id in (select promotion_id from redemptions where order_id = ${orderId}::uuid) and ${hasLimit}
    order by id for update`.execute(tx);
  const { rows } = await sql<{ isSpent: boolean }>`
    select coalesce(bool_or(
      (select count(*) from redemptions r where r.promotion_id = p.id and r.is_used) >= most_uses
      or (select count(*) from redemptions r join orders o on o.id = r.order_id
        where r.promotion_id = p.id and r.is_used and o.user_id = expired.user_id) >= most_uses_each
      or (is_first_order and exists (select from orders o where o.user_id = expired.user_id and holds_promotions(o.order_state)))), false) as is_spent
    from redemptions redeemed join promotions p on p.id = redeemed.promotion_id join orders expired on expired.id = redeemed.order_id
    where redeemed.order_id = ${orderId}::uuid`.execute(tx);
  return !rows[0]?.isSpent;
}

/**
 * Limits the guessing of codes. Each attempt counts before its lookup; a correct one is uncounted afterwards. Counts by account, or by network for visitors
 * without one, so that others behind the same address do not stop a customer. Returns whether the guess was wrong. Throws 429 with the time to wait.
 */
export async function limitGuesses(
  { db, config }: Pick<Services, 'db' | 'config'>,
  typed: string,
  { ip, account }: { ip: string; account: string },
): Promise<boolean> {
  if (tidyCode(typed) === '') return false;
  const attempt = { ip, account, factor: config.rateLimitFactor };
  const limitName = account ? 'discountCodeOfAccount' : 'discountCode';
  const counted = await limit(db, limitName, attempt);
  const promotion = await db.selectFrom('promotions').select('id').where(isSameCode(typed)).executeTakeFirst();
  if (promotion) await uncount(db, counted);
  return promotion === undefined;
}
