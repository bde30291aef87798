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

/**
 * Keeps one account from taking the whole shop by orders that nobody has paid: so many an hour, so many open at once, so many pieces in
 * them. Requests of one customer must wait for each other before this. Staff take orders for others and are not bound.
 * Throws 429 with the seconds to wait, or 409.
 */
export async function checkCeilings(tx: Tx, { config }: Pick<Services, 'config'>, who: Customer, pieces: number): Promise<void> {
  if (who.isAdmin) return;
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
}
