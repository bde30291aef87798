import { sql } from 'kysely';
import { Problem } from '#contract/base/problem.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Tx } from '#server/db/connect.ts';
import { listed, undelivered } from './states.ts';

/** What an account has ordered lately, and what of it is neither paid nor delivered; card orders do not count. */
interface Standing {
  lately: number;
  /** Seconds until the oldest of the last hour no longer counts. */
  wait: number;
  open: number;
  pieces: number;
}

/** No more rows are read than it takes to know that a ceiling is reached. */
async function readStanding(tx: Tx, userId: string, perHour: number, unpaidOrders: number): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with lately as (
      select created_at from orders
      where user_id = ${userId} and ${listed} and payment_method <> 'Credit Card' and created_at > now() - interval '1 hour'
      order by created_at desc limit ${perHour}
    ), open as (
      select id from orders
      where user_id = ${userId} and ${undelivered} and paid_at is null and payment_method <> 'Credit Card'
      limit ${unpaidOrders}
    )
    select (select count(*)::int from lately) as lately,
      (select coalesce(ceil(extract(epoch from min(created_at) + interval '1 hour' - now())), 1)::int from lately) as wait,
      (select count(*)::int from open) as open,
      (select coalesce(sum(qty - cancelled_qty), 0)::int from order_items where order_id in (select id from open)) as pieces`.execute(tx);
  return rows[0] ?? { lately: 0, wait: 1, open: 0, pieces: 0 };
}

const NOT_BY_CARD = sql`paid_at is null and payment_method <> 'Credit Card'`;

/**
 * Keeps many accounts from sending unpaid orders to one address, whose people may know nothing of them. Requests for one address wait for each other
 * from here on. Throws 409.
 */
async function checkAddress(tx: Tx, { line1, postalCode }: Address, most: number): Promise<void> {
  const key = sql`address_key(${line1}, ${postalCode})`;
  await sql`select pg_advisory_xact_lock(hashtextextended('orders to ' || ${key}, 0))`.execute(tx);
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from (
      select from orders where address_key(line1, postal_code) = ${key} and ${undelivered} and ${NOT_BY_CARD} limit ${most}
    ) as found`.execute(tx);
  const open = rows[0]?.open ?? 0;
  if (open >= most)
    throw new Problem(
      409,
      `${open} orders to this address are neither paid nor delivered. Please wait for one of them to arrive, or pay by card.`,
    );
}

/** Pieces of one product in one order, in all its sizes and colours together. Staff take orders for others and are not bound. Throws 409. */
export function checkPieces(
  { config }: Pick<Services, 'config'>,
  who: Customer,
  lines: { productId: string; name: string; qty: number }[],
): void {
  if (who.isAdmin) return;
  const byProduct = new Map<string, number>();
  for (const { productId, name, qty } of lines) {
    const pieces = (byProduct.get(productId) ?? 0) + qty;
    byProduct.set(productId, pieces);
    if (pieces > config.piecesPerProduct)
      throw new Problem(409, `One order can have at most ${config.piecesPerProduct} pieces of ${name}. For more, please write to us.`);
  }
}

/** Keeps what a card checkout holds, together with what is ordered unpaid, below the same ceiling as orders in cash. Throws 409. */
export async function checkHeldPieces(tx: Tx, { config }: Pick<Services, 'config'>, who: Customer, held: number): Promise<void> {
  if (who.isAdmin) return;
  const { pieces } = await readStanding(tx, who._id, 1, config.unpaidOrders);
  if (pieces + held <= config.unpaidPieces) return;
  const already = pieces > 0 ? ` ${pieces} are on their way to you.` : '';
  throw new Problem(409, `At most ${config.unpaidPieces} pieces can be ordered before they are paid.${already} Please choose fewer.`);
}

/** Whether an order waits for an administrator's word: a large one of an account that has not yet received any. `total` is in pence. */
export async function mustBeApproved(tx: Tx, { config }: Pick<Services, 'config'>, who: Customer, total: number): Promise<boolean> {
  if (who.isAdmin || config.approvalAbove === 0 || total <= config.approvalAbove) return false;
  const received = tx.selectFrom('orders').select('id').where('userId', '=', who._id).where('deliveredAt', 'is not', null);
  return (await received.where(listed).limit(1).executeTakeFirst()) === undefined;
}

interface Address {
  line1: string;
  postalCode: string;
}

/** A cash order as it is asked for. */
interface Wanted {
  pieces: number;
  shippingAddress: Address;
}

/**
 * Keeps one account from taking the whole shop by orders that nobody has paid: so many an hour, so many open at once, so many pieces in
 * them, and so many open at once for one address. Requests of one customer must wait for each other before this. Staff take orders for others and are not bound.
 * Throws 429 with the seconds to wait, or 409.
 */
export async function checkCeilings(tx: Tx, { config }: Pick<Services, 'config'>, who: Customer, wanted: Wanted): Promise<void> {
  if (who.isAdmin) return;
  const { pieces, shippingAddress } = wanted;
  const perHour = config.ordersPerHour * config.rateLimitFactor;
  const now = await readStanding(tx, who._id, perHour, config.unpaidOrders);
  if (now.lately >= perHour)
    throw new Problem(
      429,
      `You have placed ${now.lately} orders within an hour. Please wait ${Math.ceil(now.wait / 60)} minutes, or pay by card.`,
      undefined,
      Math.max(1, now.wait),
    );
  if (now.open >= config.unpaidOrders)
    throw new Problem(
      409,
      `You have ${now.open} orders that are neither paid nor delivered. Please wait for one of them to arrive, or pay by card.`,
    );
  if (now.pieces + pieces > config.unpaidPieces) {
    const already = now.pieces > 0 ? ` ${now.pieces} are on their way to you.` : '';
    throw new Problem(
      409,
      `At most ${config.unpaidPieces} pieces can be ordered before they are paid.${already} Please choose fewer, or pay by card.`,
    );
  }
  await checkAddress(tx, shippingAddress, config.unpaidOrdersPerAddress);
}
