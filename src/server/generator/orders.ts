import { DAY_MS } from '#contract/market/shop-time.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { CopyValue } from '#server/platform/database/copy.ts';
import { NEWEST, type PicturePool, productAt } from './products.ts';
import { Random } from './random.ts';
import { PEOPLE } from './vocabulary.ts';

/** Orders are spread over the two years before the newest product. */
const SPAN = 730 * DAY_MS;

export const customersOf = (orders: number) => Math.ceil(orders / 4);

interface Person {
  id: string;
  name: string;
  email: string;
  createdAt: number;
}

function personAt(seed: number, index: number): Person {
  const random = new Random(seed, 'customer', index);
  const createdAt = NEWEST - SPAN - random.between(0, 365) * DAY_MS;
  const [first, last] = [random.pick(PEOPLE.first), random.pick(PEOPLE.last)];
  const email = `${first}.${last}.${seed}.${index}@example.com`.toLowerCase();
  return { id: random.uuid(createdAt), name: `${first} ${last}`, email, createdAt };
}

export const USER_COLUMNS = ['id', 'name', 'email', 'password_hash', 'created_at', 'updated_at'];

/** Rows of customers, all with one password. */
export function* userRows(seed: number, orders: number, passwordHash: string): Generator<CopyValue[]> {
  for (let index = 0; index < customersOf(orders); index += 1) {
    const { id, name, email, createdAt } = personAt(seed, index);
    const at = new Date(createdAt).toISOString();
    yield [id, name, email, passwordHash, at, at];
  }
}

/** Id and time are drawn first, so items can compute them without the rest of the order. */
function headOf(seed: number, index: number, orders: number) {
  const random = new Random(seed, 'order', index);
  const at = NEWEST - SPAN + Math.floor((SPAN * index) / orders) + random.between(0, 60_000);
  return { random, at, id: random.uuid(at) };
}

function itemsAt(seed: number, index: number, products: number, pictures?: PicturePool) {
  const random = new Random(seed, 'items', index);
  return Array.from({ length: random.between(1, 3) }, () => {
    const product = productAt(seed, random.between(0, products - 1), pictures);
    const size = random.pick(product.sizes);
    return { product, size: size.size, price: size.price || product.price, qty: random.between(1, 2) };
  });
}

/** Without `order_state`, which a trigger derives from `status` and the dates. */
export const ORDER_COLUMNS = [
  ...['id', 'user_id', 'user_name', 'user_email', 'status', 'full_name', 'email', 'phone', 'line1', 'city', 'state', 'postal_code'],
  ...['country', 'sub_total_price', 'shipping_price', 'tax_price', 'total_price', 'payment_method', 'order_payment_id', 'paid_at'],
  ...['delivered_at', 'created_at'],
];

/** Rows of orders, oldest first; most are delivered and paid. */
export function* orderRows(seed: number, orders: number, products: number): Generator<CopyValue[]> {
  for (let index = 0; index < orders; index += 1) {
    const { random, at, id } = headOf(seed, index, orders);
    const person = personAt(seed, random.between(0, customersOf(orders) - 1));
    const { city, state, code } = random.pick(PEOPLE.cities);
    const line1 = `${random.between(1, 180)} ${random.pick(PEOPLE.streets)}`;
    const phone = `07${random.between(100_000_000, 999_999_999)}`;
    const sum = itemsAt(seed, index, products).reduce((total, { price, qty }) => total + price * qty, 0);
    const days = (count: number) => new Date(Math.min(at + count * DAY_MS, NEWEST)).toISOString();
    const isDelivered = random.chance(0.95);
    yield [
      ...[id, person.id, person.name, person.email, 'placed', person.name, person.email, phone, line1, city, state, code],
      ...['United Kingdom', sum, 0, 0, sum, PAYMENT_METHOD.cash, 'COD'],
      ...[isDelivered ? days(6) : null, isDelivered ? days(6) : null, new Date(at).toISOString()],
    ];
  }
}

export const ITEM_COLUMNS = ['order_id', 'position', 'product_id', 'name', 'image', 'size', 'qty', 'price'];

export function* itemRows(seed: number, orders: number, products: number, pictures: PicturePool): Generator<CopyValue[]> {
  for (let index = 0; index < orders; index += 1) {
    const { id } = headOf(seed, index, orders);
    for (const [position, { product, size, qty, price }] of itemsAt(seed, index, products, pictures).entries())
      yield [id, position, product.id, product.name, product.images[0] ?? '', size, qty, price];
  }
}
