import type { FastifyRequest } from 'fastify';
import { may, type Right } from '#contract/accounts/roles.ts';
import { Problem } from '#contract/platform/problem.ts';
import { clientAddress } from '#server/platform/client-address.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { Log } from '#server/platform/log.ts';
import { findKey, isKey, lockKey } from '#server/sessions/keys.service.ts';
import { findSession, lockSession, type SessionUser } from '#server/sessions/session.service.ts';
import type { Services } from './services.ts';

/** The context of a request. */
export interface Ctx extends Services {
  log: Log;
  /** The session token as sent, not yet verified. */
  token: string | undefined;
  /** The visitor's network address, for rate limits. */
  ip: string;
  idempotencyKey: string | undefined;
  /** Gives up an order's turn among those being placed (`orderTurns`), before it waits for the payment provider. */
  leaveTurn?: () => void;
}

declare const proof: unique symbol;

/** Proof that someone is signed in; only this file makes one. */
export interface Customer extends Readonly<SessionUser> {
  readonly [proof]: 'customer' | 'admin';
  /** The network address of the request. */
  readonly ip: string;
}

/** Proof of an administrator's session, and of the right that their call needs. */
export interface Admin extends Customer {
  readonly [proof]: 'admin';
  readonly right: Right;
}

declare const freshProof: unique symbol;

/** Proof that an administrator has entered password or code again within the last ten minutes; only `proven` makes one. */
export interface ProvenAdmin extends Admin {
  readonly [freshProof]: true;
}

export function contextOf(request: FastifyRequest, services: Services): Ctx {
  // The specification's header `Bearer`, or the usual one (§6.1).
  const { bearer, authorization } = request.headers;
  const token = typeof bearer === 'string' ? bearer : authorization?.replace(/^Bearer /i, '');
  const key = request.headers['idempotency-key'];
  return {
    ...services,
    log: request.log,
    token: token?.trim() || undefined,
    ip: clientAddress(request),
    idempotencyKey: typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined,
  };
}

/**
 * The signed-in user. Throws 401 without a live session. Rights are read from the database each time. Changes check them again in their transaction
 * (`transactionOf`) where a session or right that has just ended must not make them.
 */
export async function signedIn({ db, token, ip }: Pick<Ctx, 'db' | 'token' | 'ip'>): Promise<Customer> {
  if (!token) throw pleaseLogIn();
  return customerOf(await (isKey(token) ? findKey : findSession)(db, token), ip);
}

/** The signed-in administrator with a right. Throws 401 without a live session and 403 for anyone else. */
export async function signedInAdmin(ctx: Pick<Ctx, 'db' | 'token' | 'ip'>, right: Right): Promise<Admin> {
  return adminOf(await signedIn(ctx), right);
}

/** The signed-in user; undefined without a live session, and for an API key. For calls that anyone may make. */
export async function visitor(ctx: Ctx): Promise<Customer | undefined> {
  const session = ctx.token ? await findSession(ctx.db, ctx.token) : undefined;
  return session && customerOf(session, ctx.ip);
}

const SET_UP = 'This shop requires two-step login for administrators. Please set it up in your profile first.';

/** Throws 403 for an administrator without the second factor that the settings require. */
export function requireSecondFactor({ isAdmin, hasSecondFactor }: Customer, { isSecondFactorRequired }: Services['config']): void {
  if (isSecondFactorRequired && isAdmin && !hasSecondFactor) throw new Problem(403, SET_UP, { secondFactor: SET_UP });
}

const PASSWORD_AGAIN = 'Please enter your password again to continue.';
const CODE_AGAIN = 'Please enter a code from your authenticator app to continue.';

/**
 * Protects what a stolen or unattended session must not do. Throws 403 unless password or code were entered again recently (`POST /api/users/proof`); the
 * field of the error says which of the two is needed.
 */
export function requireProof(who: Customer): void {
  if (who.isProven) return;
  const text = who.hasSecondFactor ? CODE_AGAIN : PASSWORD_AGAIN;
  throw new Problem(403, text, { [who.hasSecondFactor ? 'code' : 'password']: text });
}

/** The administrator after `requireProof`. */
export function proven(who: Admin): ProvenAdmin {
  requireProof(who);
  return who as ProvenAdmin;
}

/** As `proven`, for a list of all customers. An API key passes: the owner who made it entered password or code then. */
export const provenToRead = (who: Admin): ProvenAdmin => (who.rights ? (who as ProvenAdmin) : proven(who));

/**
 * For a change of rights by a specified call, which needs only a session (clarifications, section 12): throws as `proven` does, but only if the administrator
 * has a second factor or `ADMIN_STEP_UP` is 1. An API key passes: the owner who made it entered password or code then.
 */
export function requireStepUp(who: Admin, { isStepUpRequired }: Services['config']): void {
  if (!who.rights && (who.hasSecondFactor || isStepUpRequired)) proven(who);
}

/**
 * Runs a change by an administrator in a transaction that first reads and locks session and role. A right that they have lost meanwhile is refused with 401 or
 * 403; ending one waits for this change.
 */
export function transactionOf<T>(db: Db, who: Admin, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const session = await (isKey(who.token) ? lockKey(tx, who.token) : lockSession(tx, who));
    adminOf(customerOf(session, who.ip), who.right);
    return change(tx);
  });
}

/**
 * As `transactionOf`, for a change by a customer; `now` is the customer as read with the locked session. The erasure of their account waits for it, so
 * that nothing is written afterwards. Throws 401.
 */
export function customerTransactionOf<T>(db: Db, who: Customer, change: (tx: Tx, now: Customer) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => change(tx, customerOf(await lockSession(tx, who), who.ip)));
}

const pleaseLogIn = () => new Problem(401, 'Please log in.');

function customerOf(session: SessionUser | undefined, ip: string): Customer {
  if (!session) throw pleaseLogIn();
  return { ...session, ip } as Customer;
}

const NO_RIGHT = 'Your role does not allow this. Please ask an owner.';

/** Throws 403 without the right. The error's field tells browsers that the user may still use the back office. */
export function requireRight(who: Customer, right: Right): void {
  if (!may(who, right)) throw new Problem(403, NO_RIGHT, { right: NO_RIGHT });
}

function adminOf(session: Customer, right: Right): Admin {
  if (!session.isAdmin) throw new Problem(403, 'Only administrators may do this.');
  requireRight(session, right);
  return { ...session, right } as Admin;
}
