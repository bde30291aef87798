import { createHash } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { CreateOrderBody, Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { networkOf } from '#server/platform/client-address.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { lockName, nameLock } from '#server/platform/database/name-lock.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { listed, sold, undelivered } from './states.ts';

/** What is known of a buyer before their order. Its numbers leave card orders out, and count no further than the limits. */
export interface Standing {
  ordersInHour: number;
  /** Seconds until the oldest of the last hour no longer counts. */
  waitSeconds: number;
  /** Orders that are neither paid nor delivered: of the account, and all to the address. */
  openOrders: number;
  openToAddress: number;
  /** Open card checkouts, which hold stock. */
  holds: string[];
  hasCart: boolean;
  /** Where their mails go. */
  account: Pick<Selectable<DB['users']>, 'email' | 'isEmailConfirmed' | 'confirmedEmail'>;
}

type Needs = Pick<Services, 'config'>;
type Address = CreateOrderBody['shippingAddress'];

const perHourOf = ({ config }: Needs) => config.ordersPerHour * config.rateLimitFactor;

/**
 * Reads a buyer's standing, once their orders and those to the address are serialised (`lockOrdersOf`). Leaves out orders that a wrong clock has dated later
 * than in an hour: they would count until then.
 */
export async function readStanding(tx: Tx, needs: Needs, { _id: userId }: Pick<Customer, '_id'>, address: Address): Promise<Standing> {
  const { unpaidOrders, unpaidOrdersPerAddress } = needs.config;
  const { rows } = await sql<Omit<Standing, 'account'> & Standing['account']>`
    with last_hour as (
      select created_at from orders
      where user_id = ${userId} and ${listed} and payment_method <> 'Credit Card'
        and created_at between now() - interval '1 hour' and now() + interval '1 hour'
      order by created_at desc limit ${perHourOf(needs)}
    ), open as (
      select id from orders
      where user_id = ${userId} and ${unpaid}
      limit ${unpaidOrders}
    ), to_address as (
      select id from orders
      where place_key(line1, line2, postal_code) = ${placeKey(address)} and ${unpaid}
      limit ${unpaidOrdersPerAddress}
    )
    select (select count(*)::int from last_hour) as orders_in_hour,
      (select coalesce(ceil(extract(epoch from min(created_at) + interval '1 hour' - now())), 1)::int from last_hour) as wait_seconds,
      (select count(*)::int from open) as open_orders, (select count(*)::int from to_address) as open_to_address,
      array(select id from orders where user_id = users.id and order_state = 'awaiting_payment' order by id) as holds,
      coalesce(cart <> '[]', false) as has_cart, email, is_email_confirmed, confirmed_email
    from users left join account_lists on account_lists.user_id = users.id where users.id = ${userId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Problem(401, 'Please log in.');
  const { email, isEmailConfirmed, confirmedEmail, ...standing } = row;
  return { ...standing, account: { email, isEmailConfirmed, confirmedEmail } };
}

/** Orders that are neither paid nor delivered, and not to be paid by card. */
const unpaid = sql`${undelivered} and paid_at is null and payment_method <> 'Credit Card'`;

const placeKey = ({ line1, line2, postalCode }: Address) => sql<string>`place_key(${line1}, ${line2}, ${postalCode})`;

/** Serialises the orders of one customer, so that a key makes one order and the limits hold; with an `address`, then also those to it. */
export async function lockOrdersOf(tx: Tx, who: Pick<Customer, '_id'>, address?: Address): Promise<void> {
  const ofCustomer = nameLock(`orders of ${who._id}`);
  await sql`select ${address ? sql`${ofCustomer}, ${nameLock(sql<string>`'orders to ' || ${placeKey(address)}`)}` : ofCustomer}`.execute(
    tx,
  );
}

/** Whether an order needs approval: a large one of an account that has not received any yet. `total` in pence. */
export async function mustBeApproved(tx: Tx, { config }: Needs, who: Pick<Customer, '_id'>, total: number): Promise<boolean> {
  if (config.approvalAbove === 0 || total <= config.approvalAbove) return false;
  const received = tx.selectFrom('orders').select('id').where('userId', '=', who._id).where('deliveredAt', 'is not', null);
  return (await received.where(listed).limit(1).executeTakeFirst()) === undefined;
}

/** The provider's smallest payment, and its largest, which has eight digits; in pence. */
const LEAST_BY_CARD = 30;
const MOST_BY_CARD = 99_999_999;
export const CARD_SUMS = `${pounds(LEAST_BY_CARD)} to ${pounds(MOST_BY_CARD)}`;

export const isPayableByCard = (total: Pence): boolean => total >= LEAST_BY_CARD && total <= MOST_BY_CARD;

/** Throws 400 for a total that the provider does not take. */
export function checkPayableByCard(total: Pence): void {
  if (isPayableByCard(total)) return;
  throw new Problem(
    400,
    total < LEAST_BY_CARD
      ? `Card payment starts at ${pounds(LEAST_BY_CARD)}.`
      : `Card payment ends at ${pounds(MOST_BY_CARD)}. Please place several orders, or contact us.`,
  );
}

/** Suggests paying by card at the end of a refusal, where that is possible: with a hold share below 100 it may be refused too. */
const orByCardOf = ({ config }: Needs, total: number): string =>
  isPayableByCard(total) && config.holdShare === 100 ? ', or pay by card' : '';

/**
 * Limits the number of cash orders: of an account in an hour, and of an account and an address at a time. Staff who may change orders order for others and are
 * exempt. Throws 429 with the seconds to wait, or 409.
 */
export function checkNumbers({ config }: Needs, who: Customer, { orderItems }: CreateOrderBody, standing: Standing): void {
  if (may(who, 'change orders')) return;
  const orByCard = orByCardOf({ config }, goodsSum(orderItems));
  const perHour = perHourOf({ config });
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
  if (standing.openToAddress >= config.unpaidOrdersPerAddress)
    throw new Problem(
      409,
      `${config.unpaidOrdersPerAddress} orders to this address are neither paid nor delivered, which is the limit. Please wait for one of them to arrive${orByCard}.`,
    );
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
 * The caller has locked account and address. The network is locked here, always after the products, against deadlocks.
 */
export async function checkValues(tx: Tx, { config }: Needs, who: Customer, order: Order, network: string): Promise<void> {
  if (may(who, 'change orders')) return;
  const { unpaidValue, unpaidValuePerAddress, unpaidValuePerNetwork } = config;
  if (unpaidValue + unpaidValuePerAddress + unpaidValuePerNetwork === 0) return;
  const toAddress = sql`place_key(line1, line2, postal_code) = ${placeKey(order.shippingAddress)} and not ${ofKnownAccount}`;
  // By the same clock as later sums: a payment that was stored while this order waited for its locks does not count.
  const { rows } = await sql<{ ofAccount: number; toAddress: number }>`
    with own as materialized (select ${ofKnownAccount} as is_known from orders where id = ${order._id})
    select ${unpaidSum(sql`user_id = ${who._id}`)} as of_account,
      case when ${unpaidValuePerAddress > 0}::boolean then ${unpaidSum(toAddress)} else 0 end as to_address
    from own where not is_known`.execute(tx);
  const [sums] = rows;
  if (!sums) return;
  const orByCard = orByCardOf({ config }, order.totalPrice);
  const checkValue = (whose: string, sum: number, most: number) => {
    if (most === 0 || sum <= most) return;
    const refusal = `${whose} can total ${pounds(most)} until one of them is paid or delivered. With this order it would be ${pounds(sum)}.`;
    throw new Problem(409, `${refusal} Please order less${orByCard}.`);
  };
  checkValue('Unpaid orders of a new account', sums.ofAccount, unpaidValue);
  checkValue('Unpaid orders of new accounts to one address', sums.toAddress, unpaidValuePerAddress);
  if (unpaidValuePerNetwork === 0) return;
  await lockName(tx, `orders from ${network}`);
  const fromNetwork = sql`id in (select order_id from order_networks where network = ${network}) and not ${ofKnownAccount}`;
  const ofNetwork = await sql<{ sum: number }>`select ${unpaidSum(fromNetwork)} as sum`.execute(tx);
  checkValue('Unpaid orders of new accounts from one internet connection', ofNetwork.rows[0]?.sum ?? 0, unpaidValuePerNetwork);
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
const unpaidSum = (where: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(sum(total_price - waived_price), 0)::float8 from orders where ${where} and ${unpaid})`;

/** The key of a network in `order_networks`: the hash of an IPv4 address, or of an IPv6 /48, which one subscriber may have. */
export function networkKey(ip: string): string {
  const block = networkOf(ip).split(':').slice(0, 3).join(':');
  return createHash('sha256').update(`order\n${block}`).digest('base64url');
}

/** Deletes the networks of orders that were cancelled, or paid or delivered for a week: until then that may be a mistake (a daily job). */
export async function removeOldNetworks(db: Db): Promise<void> {
  await sql`delete from order_networks using orders where orders.id = order_id and not (${unpaid})
    and (greatest(paid_at, delivered_at) < now() - interval '7 days' or not (${sold}))`.execute(db);
}
