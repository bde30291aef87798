import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LineItem {
  name: string;
  description: string;
  amount: number;
  quantity: number;
}

export interface ShippingChoice {
  label: string;
  amount: number;
  /** Undefined in older ledgers. */
  metadata?: Record<string, string>;
}

export interface Address {
  line1: string;
  line2: string;
  city: string;
  state: string;
  postal_code: string;
  country: string;
}

/** A customer: the fields of the hosted page that are known. */
export interface Customer {
  id: string;
  fields: Record<string, string>;
}

/** A discount that sessions can name. */
export interface Coupon {
  id: string;
  name: string;
  amount: number;
}

/** A checkout session: the shop's parameters and the payer's details. */
export interface Session {
  id: string;
  status: 'open' | 'complete' | 'expired';
  created: number;
  expiresAt: number;
  reference: string;
  metadata: Record<string, string>;
  currency: string;
  lines: LineItem[];
  shipping: ShippingChoice[];
  countries: string[];
  successUrl: string;
  cancelUrl: string;
  email: string;
  /** Fills in the hosted page. */
  customer?: Customer | undefined;
  /** Taken off the lines. */
  coupon?: Coupon | undefined;
  /** Accepted methods in the API's names; undefined in older ledgers: cards. */
  methods?: string[];
  /** What the shop calls itself, and its logo; sessions of earlier versions have none. */
  brand?: { name: string; logo: string };
  payer?: { name: string; email: string; phone: string; address: Address; shippingAmount: number; shippingIndex?: number };
  paymentIntent?: string;
  /** When it was paid; unknown in older ledgers. */
  paidAt?: number;
  /** Outcome of refunds of this payment; undefined: immediate success. */
  refunds?: 'failing' | 'pending';
}

export interface Refund {
  id: string;
  paymentIntent: string;
  amount: number;
  created: number;
  status: 'pending' | 'succeeded' | 'failed';
  metadata: Record<string, string>;
  failure?: string;
  /** When it failed. */
  endedAt?: number;
}

/** A dispute (chargeback) of a payment. */
export interface Dispute {
  id: string;
  paymentIntent: string;
  amount: number;
  created: number;
  status: 'needs_response' | 'won' | 'lost';
  /** When it was decided. */
  endedAt?: number;
}

/** Money that was sent to the shop's bank. */
export interface Payout {
  id: string;
  amount: number;
  created: number;
}

/** A webhook event, kept until the shop accepts it. */
export interface Notice {
  id: string;
  type: string;
  sessionId: string;
  /** For refund events. */
  refundId?: string;
  /** For dispute events. */
  disputeId?: string;
  created: number;
}

/** A line of the ledger file. */
export type Entry =
  | { kind: 'session'; session: Session }
  | { kind: 'customer'; customer: Customer }
  | { kind: 'coupon'; coupon: Coupon }
  | { kind: 'refund'; refund: Refund }
  | { kind: 'dispute'; dispute: Dispute }
  | { kind: 'payout'; payout: Payout }
  | { kind: 'notice'; notice: Notice }
  /** The shop accepted the notice with this id. */
  | { kind: 'delivered'; id: string }
  | { kind: 'reply'; key: string; fingerprint: string; id: string };

/** Defaults for refunds written by earlier versions. */
const REFUND_DEFAULTS = { status: 'succeeded' as const, metadata: {} };

/** The provider's state: an append-only file of JSON lines, synced to disk before each response and replayed at start. */
export class Ledger {
  readonly sessions = new Map<string, Session>();
  readonly customers = new Map<string, Customer>();
  readonly coupons = new Map<string, Coupon>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly payouts = new Map<string, Payout>();
  /** Unaccepted events, oldest first. */
  readonly notices = new Map<string, Notice>();
  /** Responses by idempotency key: the request's hash and the created id. */
  readonly replies = new Map<string, { fingerprint: string; id: string }>();
  readonly #file: number;

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true });
    const path = join(dir, 'ledger.jsonl');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    for (const line of text.split('\n')) this.#replay(line);
    this.#file = openSync(path, 'a');
    // A kill can leave the last line without its line break.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#file, '\n');
  }

  write(...entries: Entry[]): void {
    for (const entry of entries) this.#apply(entry);
    appendFileSync(this.#file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #replay(line: string): void {
    try {
      this.#apply(JSON.parse(line) as Entry);
    } catch {
      // An incomplete line can be dropped: its request was never answered.
    }
  }

  #apply(entry: Entry): void {
    if (entry.kind === 'session') this.sessions.set(entry.session.id, entry.session);
    else if (entry.kind === 'customer') this.customers.set(entry.customer.id, entry.customer);
    else if (entry.kind === 'coupon') this.coupons.set(entry.coupon.id, entry.coupon);
    else if (entry.kind === 'refund') this.refunds.set(entry.refund.id, { ...REFUND_DEFAULTS, ...entry.refund });
    else if (entry.kind === 'dispute') this.disputes.set(entry.dispute.id, entry.dispute);
    else if (entry.kind === 'payout') this.payouts.set(entry.payout.id, entry.payout);
    else if (entry.kind === 'notice') this.notices.set(entry.notice.id, entry.notice);
    else if (entry.kind === 'delivered') this.notices.delete(entry.id);
    else this.replies.set(entry.key, { fingerprint: entry.fingerprint, id: entry.id });
  }
}
