import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import { pounds } from '#contract/market/money.ts';
import type { CreateOrderBody, Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { networkOf } from '#server/platform/client-address.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { listed, sold, undelivered } from './states.ts';

/** An account's orders of the last hour, and those that are neither paid nor delivered; without card orders. */
interface Standing {
  ordersInHour: number;
  /** Seconds until the oldest of the last hour no longer counts. */
  waitSeconds: number;
  openOrders: number;
}

type Needs = Pick<Services, 'config'>;
type Address = CreateOrderBody['shippingAddress'];

/** Counts no further than the limits. Leaves out orders that a wrong clock has dated later than in an hour: they would count until then. */
async function readStanding(tx: Tx, userId: string, perHour: number, unpaidOrders: number): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with last_hour as (
      select created_at from orders
      where user_id = ${userId} and ${listed} and payment_method <> 'Credit Card'
        and created_at between now() - interval '1 hour' and now() + interval '1 hour'
      order by created_at desc limit ${perHour}
    ), open as (
      select id from orders
      where user_id = ${userId} and ${unpaid}
      limit ${unpaidOrders}
    )
    select (select count(*)::int from last_hour) as orders_in_hour,
      (select coalesce(ceil(extract(epoch from min(created_at) + interval '1 hour' - now())), 1)::int from last_hour) as wait_seconds,
      (select count(*)::int from open) as open_orders`.execute(tx);
  return rows[0] ?? { ordersInHour: 0, waitSeconds: 1, openOrders: 0 };
}

/** Orders that are neither paid nor delivered, and not to be paid by card. */
const unpaid = sql`${undelivered} and paid_at is null and payment_method <> 'Credit Card'`;

const placeKey = ({ line1, line2, postalCode }: Address) => sql<string>`place_key(${line1}, ${line2}, ${postalCode})`;

/** Throws 409 if too many orders to one address are unpaid, of all accounts together. Serialises orders to the address until commit. */
async function checkUnpaidToAddress(tx: Tx, address: Address, most: number, orByCard: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('orders to ' || ${placeKey(address)}, 0))`.execute(tx);
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from (
      select from orders where place_key(line1, line2, postal_code) = ${placeKey(address)} and ${unpaid} limit ${most}
    ) as found`.execute(tx);
  if ((rows[0]?.open ?? 0) >= most)
    throw new Problem(
      409,
      `${most} orders to this address are neither paid nor delivered, which is the limit. Please wait for one of them to arrive${orByCard}.`,
    );
}

/** Whether an order needs approval: a large one of an account that has not received any yet. `total` in pence. */
export async function mustBeApproved(tx: Tx, { config }: Needs, who: Pick<Customer, '_id'>, total: number): Promise<boolean> {
  if (config.approvalAbove === 0 || total <= config.approvalAbove) return false;
  const received = tx.selectFrom('orders').select('id').where('userId', '=', who._id).where('deliveredAt', 'is not', null);
  return (await received.where(listed).limit(1).executeTakeFirst()) === undefined;
}

/** The provider's smallest payment, in pence. */
export const LEAST_BY_CARD = 30;

/** Suggests paying by card at the end of a refusal, where that is possible: with a hold share below 100 it may be refused too. */
const orByCardOf = ({ config }: Needs, total: number): string =>
  total >= LEAST_BY_CARD && config.holdShare === 100 ? ', or pay by card' : '';

/**
 * Limits the number of cash orders: of an account in an hour, and of an account and an address at a time. The caller has serialised the customer's
 * requests. Staff who may change orders order for others and are exempt. Throws 429 with the seconds to wait, or 409.
 */
export async function checkNumbers(tx: Tx, { config }: Needs, who: Customer, body: CreateOrderBody): Promise<void> {
  if (may(who, 'change orders')) return;
  const orByCard = orByCardOf({ config }, goodsSum(body.orderItems));
  const perHour = config.ordersPerHour * config.rateLimitFactor;
  const standing = await readStanding(tx, who._id, perHour, config.unpaidOrders);
  if (standing.ordersInHour >= perHour)
    throw new Problem(
      429,
      `You have placed ${perHour} orders within an hour, which is the limit. Please wait ${Math.ceil(standing.waitSeconds / 60)} minutes${orByCard}.`,
      undefined,
      Math.max(1, standing.waitSeconds),
    );
  if (standing.openOrders >= config.unpaidOrders)
    throw new Problem(
      409,
      `You have ${config.unpaidOrders} orders that are neither paid nor delivered, which is the limit. Please wait for one of them to arrive${orByCard}.`,
    );
  await checkUnpaidToAddress(tx, body.shippingAddress, config.unpaidOrdersPerAddress, orByCard);
}

/** Orders of which the shop has been paid something that it still has, or that were delivered. */
const paidOrDelivered = sql`${sold} and (delivered_at is not null or (paid_at is not null and total_price > waived_price + refunded_price + disputed_price))`;
/** Orders whose account had paid for or received another, not cancelled since, when it placed them. A later payment does not make them so. */
const ofKnownAccount = sql`exists (
  select from orders earlier
  where earlier.user_id = orders.user_id and least(earlier.paid_at, earlier.delivered_at) < orders.created_at and ${paidOrDelivered}
)`;

/**
 * Limits the value of unpaid cash orders of new accounts, which have not paid or received an order: of each account, and of all of them to one
 * address and from one network. Includes the order itself, so it must be stored, and rolled back if this throws 409.
 * `checkNumbers` has locked account and address. The network is locked here, always after the products, against deadlocks.
 */
export async function checkValues(tx: Tx, { config }: Needs, who: Customer, order: Order, ip: string): Promise<void> {
  if (may(who, 'change orders')) return;
  const network = networkKey(ip);
  await tx.insertInto('orderNetworks').values({ orderId: order._id, network }).execute();
  // By the same clock as later sums: a payment that was stored while this order waited for its locks does not count.
  const { rows } = await sql`select from orders where id = ${order._id} and ${ofKnownAccount}`.execute(tx);
  if (rows.length > 0) return;
  const { unpaidValue, unpaidValuePerAddress, unpaidValuePerNetwork } = config;
  const orByCard = orByCardOf({ config }, order.totalPrice);
  const checkValue = (whose: string, sum: number, most: number) => {
    if (most === 0 || sum <= most) return;
    const refusal = `${whose} can total ${pounds(most)} until one of them is paid or delivered. With this order it would be ${pounds(sum)}.`;
    throw new Problem(409, `${refusal} Please order less${orByCard}.`);
  };
  checkValue('Unpaid orders of a new account', await sumOf(tx, sql`user_id = ${who._id}`), unpaidValue);
  const toAddress = sql`place_key(line1, line2, postal_code) = ${placeKey(order.shippingAddress)} and not ${ofKnownAccount}`;
  if (unpaidValuePerAddress > 0)
    checkValue('Unpaid orders of new accounts to one address', await sumOf(tx, toAddress), unpaidValuePerAddress);
  if (unpaidValuePerNetwork === 0) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`orders from ${network}`}, 0))`.execute(tx);
  const fromNetwork = sql`id in (select order_id from order_networks where network = ${network}) and not ${ofKnownAccount}`;
  checkValue('Unpaid orders of new accounts from one internet connection', await sumOf(tx, fromNetwork), unpaidValuePerNetwork);
}

/**
 * Throws 409 if a customer who has cancelled their paid order has more unpaid ones of their own than new accounts may, by any of the three limits, and has
 * placed one of them since their first payment.
 */
export async function checkUnpaidValues(tx: Tx, { config }: Needs, who: Customer): Promise<void> {
  if (may(who, 'change orders') || (await isKnownAccount(tx, who._id))) return;
  const place = sql`place_key(line1, line2, postal_code)`;
  const worth = sql`sum(total_price - waived_price)`;
  const { rows } = await sql<{ accountValue: number; isAnyLater: boolean; addressValue: number; networkValue: number }>`
    with unpaid_orders as (select orders.id, orders.created_at, ${place} as place, network from orders join order_networks on order_id = orders.id where user_id = ${who._id} and ${unpaid})
    select coalesce((select ${worth} from orders where id in (select id from unpaid_orders)), 0)::float8 as account_value,
      exists (select from unpaid_orders where created_at > (select min(paid_at) from orders where user_id = ${who._id})) as is_any_later,
      coalesce((select ${worth} as worth from orders where ${place} in (select place from unpaid_orders) and ${unpaid} and not ${ofKnownAccount}
        group by ${place} order by worth desc limit 1), 0)::float8 as address_value,
      coalesce((select ${worth} as worth from orders join order_networks on order_id = orders.id
        where network in (select network from unpaid_orders) and ${unpaid} and not ${ofKnownAccount}
        group by network order by worth desc limit 1), 0)::float8 as network_value`.execute(tx);
  const [row] = rows;
  if (!row?.isAnyLater) return;
  const isBeyond = (sum: number, most: number) => most > 0 && sum > most;
  if (
    isBeyond(row.accountValue, config.unpaidValue) ||
    isBeyond(row.addressValue, config.unpaidValuePerAddress) ||
    isBeyond(row.networkValue, config.unpaidValuePerNetwork)
  )
    throw new Problem(
      409,
      `We took your unpaid orders of ${pounds(row.accountValue)} because this one is paid. Please cancel those first, or contact us.`,
    );
}

/** Whether an account has paid or received an order that was not cancelled. */
export async function isKnownAccount(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from orders where user_id = ${userId} and ${paidOrDelivered} limit 1`.execute(tx);
  return rows.length > 0;
}

/** The value of unpaid cash orders, in pence. */
async function sumOf(tx: Tx, where: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(total_price - waived_price), 0)::float8 as sum from orders where ${where} and ${unpaid}`.execute(tx);
  return rows[0]?.sum ?? 0;
}

/** Hash of an IPv4 address, or of an IPv6 /48, which one subscriber may have. */
function networkKey(ip: string): string {
  const block = networkOf(ip).split(':').slice(0, 3).join(':');
  return createHash('sha256').update(`order\n${block}`).digest('base64url');
}

/** Deletes the networks of orders that were cancelled, or paid or delivered for a week: until then that may be a mistake (a daily job). */
export async function removeOldNetworks(db: Db): Promise<void> {
  await sql`delete from order_networks using orders where orders.id = order_id and not (${unpaid})
    and (greatest(paid_at, delivered_at) < now() - interval '7 days' or not (${sold}))`.execute(db);
}
