import { randomUUID } from 'node:crypto';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Correction, Order } from '#contract/orders/orders.ts';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { PAYER } from '#sandbox/payer.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { eventually } from '#server/testing/eventually.ts';
import { cashOrderOf, type Dice, lineOf, logIn } from './buyers.ts';
import { callShop } from './calls.ts';
import type { aShopOfItsOwnTime } from './own-time.ts';
import type { Person } from './person.ts';
import { deliverOnScreens, dispatchOnScreens, orderOnScreens } from './week-screens.ts';

const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };

export type Shop = Awaited<ReturnType<typeof aShopOfItsOwnTime>>;

/** How an order comes to the shop: on the web, paid by card or in cash; by phone, paid in cash or by a link. */
const WAYS = ['card', 'card', 'card', 'cash', 'cash', 'cash', 'phone', 'phone', 'link'] as const;

/** What staff, the courier, the customer or the bank do with an order, one step each working day. */
const LIVES = {
  plain: ['dispatch', 'deliver'],
  'two parcels': ['send a piece', 'dispatch', 'deliver'],
  'failed delivery': ['dispatch', 'fail', 'dispatch', 'deliver'],
  returned: ['dispatch', 'deliver', 'ask for a return', 'approve the return', 'receive the return'],
  'return of the last piece, damaged': ['dispatch', 'deliver', 'ask to return all', 'approve the return', 'receive it damaged'],
  goodwill: ['dispatch', 'deliver', 'give goodwill'],
  'disputed, lost': ['dispatch', 'deliver', 'dispute', 'lose the dispute'],
  'disputed, won': ['dispatch', 'deliver', 'dispute', 'win the dispute'],
  'paid before it left': ['record cash', 'dispatch', 'deliver'],
  'marked by mistake': ['mark as delivered by mistake', 'dispatch', 'deliver'],
  'a piece is missing': ['cancel a piece', 'dispatch', 'deliver'],
  'changed by staff': ['correct', 'dispatch', 'deliver'],
  'exchanged for less': ['take a line off', 'dispatch', 'deliver'],
  'customer cancels a line': ['customer cancels a line', 'dispatch', 'deliver'],
  'customer cancels': ['customer cancels'],
  'on the screens': ['dispatch on the screens', 'deliver on the screens'],
} as const satisfies Record<string, readonly string[]>;
type Life = keyof typeof LIVES;
type Step = (typeof LIVES)[Life][number];

/** Most orders are plain ones. */
const LIFE_NAMES = [
  ...(Object.keys(LIVES) as Life[]).filter((life) => life !== 'on the screens'),
  ...Array.from({ length: 9 }, () => 'plain' as const),
];

/** An order, and what happened to it outside the shop. */
interface Sale {
  id: string;
  buyer: string;
  way: (typeof WAYS)[number];
  life: Life;
  /** Its next step. */
  next: number;
  /** Payment sessions at the provider. */
  sessions: string[];
  /** Pence that the driver has collected, and that were handed back. */
  collected: number;
  handedBack: number;
  /** The day on which it was paid or the first of it left. */
  taxPoint: string | undefined;
}

/** What a sale begins with. */
const NEW = { next: 0, collected: 0, handedBack: 0, taxPoint: undefined };

type Cart = { product: Product; size: Product['sizes'][number] | undefined; qty: number }[];

/** The key of a stock: of a product, or of one of its sizes. */
const stockKeyOf = (id: string, size: string | null | undefined) => (size ? `${id} ${size}` : id);

/** People who buy from a shop and work in it, and remember what they did. */
export class Week {
  readonly sales: Sale[] = [];
  /** Pieces that have left each stock for good, by its key, as the people remember it. */
  readonly gone = new Map<string, number>();
  readonly #shop: Shop;
  readonly #dice: Dice;
  readonly #products: Product[];
  readonly #code: string;
  readonly #buyers: { token: string; email: string }[] = [];
  /** Opens a browser for a person. */
  readonly #aPerson: () => Promise<Person>;
  #staff = '';

  constructor(shop: Shop, dice: Dice, products: Product[], code: string, person: () => Promise<Person>) {
    this.#shop = shop;
    this.#dice = dice;
    this.#products = products;
    this.#code = code;
    this.#aPerson = person;
  }

  /** Calls the API, as a member of staff unless another token is given. */
  call<T>(method: 'GET' | 'POST' | 'PUT', path: string, { as = this.#staff, body }: { as?: string; body?: object } = {}): Promise<T> {
    return callShop(this.#shop.url, method, path, { as, ...(body && { body }) });
  }

  get #today(): string {
    return shopDay(this.#shop.clock.now().toISOString());
  }

  #one<T>(things: readonly T[]): T {
    return things[Math.floor(this.#dice() * things.length)] as T;
  }

  #noteGone(id: string, size: string | null | undefined, pieces: number): void {
    const product = this.#products.find(({ _id }) => _id === id);
    // A product with sizes has a count of its own, too.
    for (const key of new Set([id, product?.sizes.length ? stockKeyOf(id, size) : id]))
      this.gone.set(key, (this.gone.get(key) ?? 0) + pieces);
  }

  async logIn(): Promise<void> {
    this.#staff = await logIn(this.#shop.url, ADMIN.email, ADMIN.password);
  }

  async register(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const email = `buyer-${randomUUID()}@example.com`;
      const { token } = await this.call<{ token: string }>('POST', '/api/users', {
        as: '',
        body: { name: `Buyer ${n}`, email, password: 'Correct-horse-1' },
      });
      this.#buyers.push({ token, email });
    }
  }

  read(id: string): Promise<Order> {
    return this.call('GET', `/api/orders/${id}`);
  }

  #cart(): Cart {
    return Array.from({ length: 1 + Math.floor(this.#dice() * 3) }, () => {
      const product = this.#one(this.#products);
      return { product, size: product.sizes.length > 0 ? this.#one(product.sizes) : undefined, qty: 1 + Math.floor(this.#dice() * 2) };
    });
  }

  /** Pays at the provider's page. Returns the session. */
  async #pay(url: string): Promise<string> {
    const paid = await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
    if (paid.status !== 303) throw new Error(`The provider: ${paid.status}.`);
    return url.split('/').at(-1) ?? '';
  }

  /** Places an order, and pays it unless it is a cash one. */
  async order(): Promise<void> {
    const [buyer, way, cart] = [this.#one(this.#buyers), this.#one(WAYS), this.#cart()];
    const code = this.#dice() < 0.25 ? this.#code : null;
    const sale: Sale = { ...NEW, id: '', buyer: buyer.token, way, life: this.#one(LIFE_NAMES), sessions: [] };
    const orderItems = cart.map(({ product, size, qty }) => lineOf(product, size, qty));
    const discount = code && { discount: { code } };
    if (way === 'card') {
      const body = { orderItems, ...discount };
      const { url, orderId } = await this.call<{ url: string; orderId: string }>('POST', '/stripe/create-checkout-session', {
        as: buyer.token,
        body,
      });
      sale.id = orderId;
      await this.#payFor(sale, url);
    } else if (way === 'cash') {
      const body = { ...cashOrderOf(orderItems[0] as ReturnType<typeof lineOf>), orderItems, ...discount };
      sale.id = (await this.call<Order>('POST', '/api/orders', { as: buyer.token, body }))._id;
    } else sale.id = await this.#byPhone(buyer.email, way === 'link' ? 'link' : 'cash', cart, code);
    // One link in four is never paid.
    if (way === 'link' && this.#dice() < 0.75) {
      const { url } = await this.call<{ url: string }>('POST', `/api/orders/${sale.id}/correction/payment`, { as: buyer.token });
      await this.#payFor(sale, url);
    }
    for (const { product, size, qty } of cart) this.#noteGone(product._id, size?.size, qty);
    this.sales.push(sale);
  }

  /** Places an order in cash on the screens. */
  async orderOnScreens(): Promise<void> {
    const product = this.#one(this.#products.filter(({ sizes, colors }) => sizes.length < 2 && colors.length < 2));
    const customer = await this.#aPerson();
    const { id, token } = await orderOnScreens(customer, product, `buyer-${randomUUID()}@example.com`);
    await customer.page.context().close();
    this.#noteGone(product._id, product.sizes[0]?.size, 1);
    this.sales.push({ ...NEW, id, buyer: token, way: 'cash', life: 'on the screens', sessions: [] });
  }

  async #payFor(sale: Sale, url: string): Promise<void> {
    sale.sessions.push(await this.#pay(url));
    await eventually(async () => {
      const { isPaid, correction } = await this.call<Order>('GET', `/api/orders/${sale.id}`, { as: sale.buyer });
      if (!isPaid || correction) throw new Error(`${sale.id} is not paid yet.`);
    });
    this.#noteTaxPoint(sale);
  }

  async #byPhone(email: string, payment: 'cash' | 'link', cart: Cart, code: string | null): Promise<string> {
    const lines = cart.map(({ product, size, qty }, index) => ({
      product: product._id,
      qty,
      ...(size && { size: size.size }),
      agreed: index === 1 ? { price: 4_999, reason: 'Last one of its kind' } : null,
    }));
    const wish = { lines, code };
    const { postalCode, country } = ADDRESS;
    const quote = await this.call<PhoneQuote>('POST', '/api/office/orders/quote', { body: { ...wish, email, postalCode, country } });
    const rest = { email, fullName: 'Rita Ring', phone: '07700 900123', shippingAddress: ADDRESS, payment, expected: quote.totalPrice };
    return (await this.call<Order>('POST', '/api/office/orders', { body: { ...wish, ...rest } }))._id;
  }

  #noteTaxPoint(sale: Sale): void {
    sale.taxPoint ??= this.#today;
  }

  /** A working morning: staff approve what waits, then each order takes its next step. */
  async work(): Promise<void> {
    await this.logIn();
    const screens = await this.#aPerson();
    await screens.logIn(ADMIN);
    const { orders } = await this.call<{ orders: { _id: string }[] }>('GET', '/api/orders?queue=approve&pageNumber=1');
    for (const { _id } of orders) await this.call('PUT', `/api/office/orders/${_id}/approval`);
    for (const sale of this.sales) {
      const steps: readonly Step[] = LIVES[sale.life];
      const step = steps[sale.next];
      if (!step) continue;
      const order = await this.read(sale.id);
      if (order.status === 'cancelled') this.#end(sale, order);
      if (order.status === 'cancelled' || order.awaitsApproval || order.payUntil) continue;
      await this.#take(step, sale, order, screens);
      sale.next += 1;
    }
    await screens.page.context().close();
  }

  /** An order that the shop has cancelled: its link was not paid in time. */
  #end(sale: Sale, { orderItems }: Order): void {
    sale.next = LIVES[sale.life].length;
    for (const { _id, size, qty } of orderItems) this.#noteGone(_id, size, -qty);
  }

  /** Takes a step with an order. A step is skipped if the order has too few pieces for it, or was not paid by card. */
  async #take(step: Step, sale: Sale, order: Order, screens: Person): Promise<void> {
    const [path, office] = [`/api/orders/${sale.id}`, `/api/office/orders/${sale.id}`];
    const left = order.orderItems.flatMap((item, line) => (item.qty > item.cancelledQty ? [{ ...item, line }] : []));
    const first = left[0] as (typeof left)[number];
    const isOne = left.length === 1 && first.qty - first.cancelledQty === 1;
    const stage = (to: string) => this.call('PUT', `${path}/stage`, { body: { stage: to } });
    const noteCancelled = (items: typeof left, qty?: number) => {
      for (const item of items) this.#noteGone(item._id, item.size, -(qty ?? item.qty - item.cancelledQty));
    };
    const isCard = sale.way === 'card' || sale.way === 'link';
    switch (step) {
      case 'dispatch':
        await stage('dispatched');
        this.#noteTaxPoint(sale);
        break;
      case 'dispatch on the screens':
        await dispatchOnScreens(screens, sale.id);
        this.#noteTaxPoint(sale);
        break;
      case 'deliver on the screens':
        await deliverOnScreens(screens, sale.id);
        sale.collected += order.amountDue;
        break;
      case 'send a piece':
        if (isOne) break;
        await this.call('POST', `${office}/parcels`, { body: { lines: [{ line: first.line, qty: 1 }], carrier: 'DPD' } });
        this.#noteTaxPoint(sale);
        break;
      case 'fail':
        await stage('delivery_failed');
        break;
      case 'deliver':
        await this.call('PUT', `${path}/deliver`, { body: { isDelivered: true } });
        this.#noteTaxPoint(sale);
        await this.#collect(sale, order);
        break;
      case 'mark as delivered by mistake':
        await this.call('PUT', '/api/orders/deliver', { body: { ids: [sale.id], isDelivered: true } });
        await this.call('PUT', '/api/orders/deliver', { body: { ids: [sale.id], isDelivered: false } });
        this.#noteTaxPoint(sale);
        break;
      case 'record cash':
        await this.#collect(sale, order);
        break;
      case 'cancel a piece':
        if (isOne) break;
        await this.#prove();
        await this.call('POST', `${office}/cancel`, { body: { pieces: [{ line: first.line, qty: 1 }], reason: 'Not in stock' } });
        noteCancelled([first], 1);
        break;
      case 'customer cancels a line':
        if (left.length === 1) break;
        await this.call('POST', `${path}/cancel`, { as: sale.buyer, body: { lines: [first.line], reason: 'I changed my mind' } });
        noteCancelled([first]);
        break;
      case 'customer cancels':
        await this.call('POST', `${path}/cancel`, { as: sale.buyer, body: { reason: 'I changed my mind' } });
        noteCancelled(left);
        break;
      case 'correct':
        await this.#correct(sale, order, []);
        break;
      case 'take a line off':
        if (left.length > 1) await this.#correct(sale, order, [first]);
        break;
      case 'ask for a return':
      case 'ask to return all': {
        const isAll = step === 'ask to return all';
        const returned = isAll ? left : [first];
        const lines = returned.map(({ line, qty, cancelledQty }) => ({ line, qty: isAll ? qty - cancelledQty : 1 }));
        await this.call('POST', `${path}/returns`, { as: sale.buyer, body: { lines, reason: 'It does not fit', note: '' } });
        break;
      }
      case 'approve the return':
        await this.call('POST', `/api/office/returns/${order.returns[0]?._id}/judge`, { body: { isApproved: true } });
        break;
      case 'receive the return':
      case 'receive it damaged': {
        const [one] = order.returns;
        const isSpoiled = step === 'receive it damaged';
        const lines = (one?.pieces ?? []).map(({ line, qty }) => ({
          line,
          restocked: isSpoiled ? 0 : qty,
          spoiled: isSpoiled ? qty : 0,
        }));
        await this.#prove();
        await this.call('POST', `/api/office/returns/${one?._id}/received`, { body: { lines } });
        for (const { line, restocked } of lines)
          this.#noteGone(order.orderItems[line]?._id ?? '', order.orderItems[line]?.size, -restocked);
        break;
      }
      case 'give goodwill':
        await this.#prove();
        await this.call('POST', `${office}/refunds`, { body: { amount: 1_001, reason: 'Goodwill' } });
        // Cash is handed back at once.
        if (!isCard) sale.handedBack += 1_001;
        break;
      case 'dispute':
        if (isCard) await this.#atProvider(sale, 'dispute');
        break;
      case 'lose the dispute':
      case 'win the dispute':
        if (isCard) await this.#atProvider(sale, step === 'lose the dispute' ? 'lost' : 'won');
        break;
    }
    if (!isCard) await this.#handBack(sale);
  }

  /** The driver collects what is due, and the office records it. */
  async #collect(sale: Sale, { amountDue }: Order): Promise<void> {
    if (sale.way === 'card' || sale.way === 'link' || amountDue === 0) return;
    await this.call('PUT', `/api/orders/${sale.id}/cash`, { body: { isPaid: true } });
    sale.collected += amountDue;
    this.#noteTaxPoint(sale);
  }

  /** Hands back in cash what is owed. */
  async #handBack(sale: Sale): Promise<void> {
    const { refunds } = await this.read(sale.id);
    for (const { _id, amount, status, isByHand } of refunds) {
      if (!isByHand || status !== 'pending') continue;
      await this.#prove();
      await this.call('POST', `/api/office/refunds/${_id}/paid`, { body: { paidBackBy: 'cash' } });
      sale.handedBack += amount;
    }
  }

  /** Adds a piece to an order and takes lines off it; the customer of a paid order pays the difference. */
  async #correct(sale: Sale, order: Order, off: { _id: string; line: number; size: string | null; qty: number; cancelledQty: number }[]) {
    const product = this.#one(this.#products);
    const size = product.sizes[0]?.size;
    const added = off.length > 0 ? [] : [{ product: product._id, qty: 1, ...(size && { size }) }];
    const wish = { revision: order.revision, lines: off.map(({ line }) => ({ line, qty: 0 })), added };
    const url = `/api/office/orders/${sale.id}/correction`;
    await this.#prove();
    const { difference, isToBePaid } = await this.call<Correction>('POST', url, { body: wish });
    await this.call('POST', url, { body: { ...wish, expected: difference } });
    if (isToBePaid) {
      const pay = await this.call<{ url: string }>('POST', `/api/orders/${sale.id}/correction/payment`, { as: sale.buyer });
      await this.#payFor(sale, pay.url);
    }
    for (const line of added) this.#noteGone(line.product, size, 1);
    for (const item of off) this.#noteGone(item._id, item.size, -(item.qty - item.cancelledQty));
  }

  async #prove(): Promise<void> {
    await this.call('POST', '/api/users/proof', { body: { password: ADMIN.password } });
  }

  async #atProvider(sale: Sale, action: 'dispute' | 'won' | 'lost'): Promise<void> {
    await this.#press(sale.sessions[0] ?? '', action);
  }

  async #press(session: string, action: string): Promise<void> {
    const reply = await fetch(this.#shop.paymentPage(session), {
      method: 'POST',
      body: new URLSearchParams({ action }),
      redirect: 'manual',
    });
    // After refunds and disputes there may be nothing to pay out.
    if (reply.status !== 303 && action !== 'payout') throw new Error(`The provider’s page answers ${action} with ${reply.status}.`);
  }

  /** The provider pays its balance out to the bank. */
  async payOut(): Promise<void> {
    const session = this.sales.flatMap(({ sessions }) => sessions)[0];
    if (session) await this.#press(session, 'payout');
  }

  get isDone(): boolean {
    return this.sales.every(({ life, next }) => next >= LIVES[life].length);
  }
}
