import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Balance, balanceObject } from './balance.ts';
import { Disputes } from './disputes.ts';
import { parseForm, type Value } from './form.ts';
import { type Entered, messagePage, payPage, paysByCard, wrongFields } from './hosted-page.ts';
import { Ledger, type Notice, type Session } from './ledger.ts';
import { Notifier } from './notifier.ts';
import { disputeObject, sessionObject } from './objects.ts';
import { paymentPage, runAction } from './payment-page.ts';
import { type Change, REFUND_CARDS, Refunds } from './refunds.ts';
import { ApiError, newId, nowInSeconds, paidSession, readCoupon, readCustomer, readSession, successUrl } from './session.ts';

export interface SandboxOptions {
  host: string;
  /** Host name for payers; default: `host`. */
  publicHost?: string;
  /** 0 picks a free port. */
  port: number;
  /** Folder of the ledger. */
  dir: string;
  secretKey: string;
  webhookSecret: string;
  /** The shop's webhook URL; a function if known only later. */
  webhookUrl: string | (() => string);
  /** False drops events, as if the network lost them. */
  deliver?: boolean;
  log?: (line: string) => void;
}

export interface Sandbox {
  /** Base URL for the shop; payers use the public host. */
  url: string;
  close(): Promise<void>;
}

const DECLINED_CARD = '4000000000000002';
const MAX_BODY_BYTES = 512 * 1024;

/** Starts the payment sandbox: a server with the part of the provider's API that the shop uses. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = new Provider(options);
  const server = createServer((request, response) => void sandbox.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : options.port;
  const inUrl = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
  const urlOf = (host: string) => `http://${inUrl(host)}:${port}`;
  sandbox.url = urlOf(options.publicHost ?? options.host);
  sandbox.open();
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const connectHost = loopback[options.host] ?? options.host;
  return {
    url: urlOf(connectHost),
    close: () =>
      new Promise((resolve) => {
        sandbox.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Provider {
  url = '';
  readonly #options: SandboxOptions;
  readonly #ledger: Ledger;
  readonly #notifier: Notifier;
  readonly #refunds: Refunds;
  readonly #disputes: Disputes;
  readonly #balance: Balance;
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(options: SandboxOptions) {
    const { webhookUrl, webhookSecret, log = () => undefined } = options;
    this.#options = options;
    this.#ledger = new Ledger(options.dir);
    this.#refunds = new Refunds(this.#ledger);
    this.#disputes = new Disputes(this.#ledger);
    this.#balance = new Balance(this.#ledger);
    const url = typeof webhookUrl === 'string' ? () => webhookUrl : webhookUrl;
    this.#notifier = new Notifier(this.#ledger, { secret: webhookSecret, url, baseUrl: () => this.url, log });
  }

  open(): void {
    if (this.#options.deliver !== false) this.#notifier.resume();
    this.#expiryTimer = setInterval(() => this.#expireDue(), 1_000).unref();
  }

  close(): void {
    clearInterval(this.#expiryTimer);
    this.#notifier.close();
    this.#ledger.close();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // Concatenated, not resolved: paths such as `//` must not throw.
      const { pathname, searchParams } = new URL(`http://sandbox${request.url ?? '/'}`);
      const body = await readBody(request);
      if (pathname.startsWith('/pay/')) return await this.#pay(request.method ?? '', pathname.slice(5), body, response);
      if (pathname.startsWith('/payments/')) return await this.#payment(request.method ?? '', pathname.slice(10), body, response);
      this.#authorise(request);
      const key = request.headers['idempotency-key'];
      const reply = this.#api(request.method ?? '', pathname, searchParams, body, typeof key === 'string' ? key : undefined);
      send(response, 200, 'application/json', JSON.stringify(reply));
    } catch (error) {
      const { status, type, message, code } = error instanceof ApiError ? error : new ApiError(500, 'The sandbox failed.', 'api_error');
      send(response, status, 'application/json', JSON.stringify({ error: { type, message, code } }));
    }
  }

  #authorise({ headers }: IncomingMessage): void {
    const expected = [`Bearer ${this.#options.secretKey}`, `Basic ${Buffer.from(`${this.#options.secretKey}:`).toString('base64')}`];
    if (!expected.includes(headers.authorization ?? '')) throw new ApiError(401, 'Invalid API Key provided.');
  }

  #api(method: string, path: string, query: URLSearchParams, body: string, key: string | undefined): unknown {
    // The only object that is expanded. A session that can be expired has none.
    const isExpanded = [...query].some(([name, value]) => name.startsWith('expand[') && value.endsWith('shipping_cost.shipping_rate'));
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(expire))?$/.exec(path) ?? [];
    if (method === 'POST' && path === '/v1/checkout/sessions')
      return this.#once(
        key,
        path + body,
        () => this.#create(parseForm(body)),
        (id) => this.#show(id),
      );
    if (method === 'POST' && path === '/v1/customers')
      return this.#once(
        key,
        path + body,
        () => newCustomer(parseForm(body)),
        (id) => ({ id, object: 'customer' }),
      );
    if (method === 'POST' && path === '/v1/coupons')
      return this.#once(
        key,
        path + body,
        () => newCoupon(parseForm(body)),
        (id) => ({ id, object: 'coupon' }),
      );
    if (method === 'GET' && path === '/v1/checkout/sessions')
      return listPage(this.#ledger.sessions.values(), query, ({ id }) => this.#show(id, isExpanded));
    if (method === 'GET' && id && !action) return this.#show(id, isExpanded);
    if (method === 'POST' && action === 'expire') return this.#expire(id);
    if (method === 'POST' && path === '/v1/refunds')
      return this.#once(
        key,
        path + body,
        () => this.#refunds.make(parseForm(body)),
        (id) => this.#refunds.show(id),
      );
    const payment = query.get('payment_intent');
    if (method === 'GET' && path === '/v1/refunds') {
      const show = ({ id }: { id: string }) => this.#refunds.show(id);
      return payment === null ? listPage(this.#ledger.refunds.values(), query, show) : list(this.#refunds.of(payment).map(show), false);
    }
    if (method === 'GET' && path === '/v1/disputes') {
      if (payment === null) return listPage(this.#ledger.disputes.values(), query, disputeObject);
      const dispute = this.#disputes.of(payment);
      return list(dispute ? [disputeObject(dispute)] : [], false);
    }
    if (method === 'GET' && path === '/v1/balance_transactions') return listPage(this.#balance.entries(), query, balanceObject);
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  }

  /** Idempotency: a repeated key and request take effect once; the same key with another request is refused. */
  #once(key: string | undefined, request: string, make: () => Change, show: (id: string) => unknown): unknown {
    const fingerprint = createHash('sha256').update(request).digest('hex');
    const earlier = key ? this.#ledger.replies.get(key) : undefined;
    if (earlier && earlier.fingerprint !== fingerprint)
      throw new ApiError(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        'idempotency_error',
      );
    if (earlier) return show(earlier.id);
    const { id, entries, notices } = make();
    // One write, so that a kill cannot store the object without its key.
    this.#ledger.write(...entries, ...(key ? [{ kind: 'reply' as const, key, fingerprint, id }] : []));
    void this.#send(notices);
    return show(id);
  }

  #find(id: string): Session {
    const session = this.#ledger.sessions.get(id);
    if (!session) throw new ApiError(404, `No such checkout.session: '${id}'`);
    return session;
  }

  #show(id: string, isExpanded = false) {
    return sessionObject(this.#find(id), this.url, isExpanded);
  }

  #create(form: { [name: string]: Value }): Change {
    const session = readSession(form, this.#ledger);
    return { id: session.id, entries: [{ kind: 'session', session }], notices: [] };
  }

  #expire(id: string) {
    const session = this.#find(id);
    if (session.status !== 'open')
      throw new ApiError(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    void this.#finish({ ...session, status: 'expired' }, 'checkout.session.expired');
    return this.#show(id);
  }

  #expireDue(): void {
    for (const session of this.#ledger.sessions.values())
      if (session.status === 'open' && session.expiresAt <= nowInSeconds())
        void this.#finish({ ...session, status: 'expired' }, 'checkout.session.expired');
  }

  /** Stores a session's end and its event in one write, then sends the event. */
  #finish(session: Session, type: string): Promise<void> {
    const notice: Notice = { id: newId('evt'), type, sessionId: session.id, created: nowInSeconds() };
    this.#ledger.write({ kind: 'session', session }, { kind: 'notice', notice });
    return this.#send([notice]);
  }

  async #send(notices: Notice[]): Promise<void> {
    if (this.#options.deliver === false) return;
    await Promise.all(notices.map((notice) => this.#notifier.send(notice)));
  }

  /** A payment's page, with the actions of the provider's dashboard and of banks. */
  async #payment(method: string, id: string, body: string, response: ServerResponse): Promise<void> {
    const session = this.#ledger.sessions.get(id);
    const sendPage = (status: number, text: string) => send(response, status, 'text/html; charset=utf-8', text);
    if (!session?.paymentIntent) return sendPage(404, messagePage('No such payment', 'Nothing was paid under this id.', '/'));
    if (method !== 'POST') return sendPage(200, paymentPage(session, this.#refunds, this.#disputes, ''));
    try {
      const { entries, notices } = runAction(this.#refunds, this.#disputes, this.#balance, session, new URLSearchParams(body));
      this.#ledger.write(...entries);
      void this.#send(notices);
      redirect(response, `/payments/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendPage(error.status, paymentPage(session, this.#refunds, this.#disputes, error.message));
    }
  }

  async #pay(method: string, id: string, body: string, response: ServerResponse): Promise<void> {
    const session = this.#ledger.sessions.get(id);
    const sendPage = (status: number, text: string) => send(response, status, 'text/html; charset=utf-8', text);
    if (!session) return sendPage(404, messagePage('Nothing to pay here', 'This payment page does not exist.', '/'));
    if (session.status === 'complete') return redirect(response, successUrl(session));
    if (session.status === 'expired')
      return sendPage(
        410,
        messagePage('This payment page has expired', 'Nothing was charged. You can start again from your cart.', session.cancelUrl),
      );
    if (method !== 'POST') return sendPage(200, payPage(session, { ...session.customer?.fields, email: session.email }, {}, ''));
    const entered: Entered = Object.fromEntries([...new URLSearchParams(body)].map(([name, text]) => [name, text.slice(0, 200)]));
    const byCard = paysByCard(session, entered);
    const errors = wrongFields(entered, { byCard, asksAddress: session.countries.length > 0 });
    const enteredWithoutCard = { ...entered, card: '', cvc: '' };
    if (Object.keys(errors).length > 0)
      return sendPage(422, payPage(session, enteredWithoutCard, errors, 'Please correct the highlighted fields.'));
    const card = byCard ? entered.card?.replace(/[\s-]/g, '') : '';
    if (card === DECLINED_CARD)
      return sendPage(402, payPage(session, enteredWithoutCard, {}, 'Your card was declined. Try another card; nothing was charged.'));
    const refundOutcome = REFUND_CARDS[card as keyof typeof REFUND_CARDS];
    const isUnknownCard = card && card !== '4242424242424242' && !refundOutcome;
    if (isUnknownCard)
      return sendPage(
        402,
        payPage(
          session,
          enteredWithoutCard,
          { card: 'This sandbox accepts the card 4242 4242 4242 4242.' },
          'This card cannot be used here.',
        ),
      );
    const notified = this.#finish(
      { ...paidSession(session, entered), ...(refundOutcome && { refunds: refundOutcome }) },
      'checkout.session.completed',
    );
    // Do not keep the payer waiting for an unresponsive shop: the event is retried.
    await Promise.race([notified, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    redirect(response, successUrl(session));
  }
}

function newCustomer(form: { [name: string]: Value }): Change {
  const customer = readCustomer(form);
  return { id: customer.id, entries: [{ kind: 'customer', customer }], notices: [] };
}

function newCoupon(form: { [name: string]: Value }): Change {
  const coupon = readCoupon(form);
  return { id: coupon.id, entries: [{ kind: 'coupon', coupon }], notices: [] };
}

/** One page of objects created since a time, newest first. */
function listPage<T extends { id: string; created: number }>(all: Iterable<T>, query: URLSearchParams, show: (one: T) => unknown) {
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 10)));
  const since = Number(query.get('created[gte]') ?? 0);
  const found = [...all].filter(({ created }) => created >= since).reverse();
  const start = found.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  return list(found.slice(start, start + limit).map(show), found.length > start + limit);
}

function list(data: unknown[], hasMore: boolean) {
  return { object: 'list', data, has_more: hasMore };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(text);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, 'The request is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
