import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/platform/problem.ts';
import { clientAddress } from '#server/platform/client-address.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { Log } from '#server/platform/log.ts';
import { findSession, lockSession, type SessionUser } from '#server/sessions/session.service.ts';
import type { Services } from './services.ts';

/** One request, as a route sees it. */
export interface Ctx extends Services {
  log: Log;
  /** The session token as sent, not yet believed. */
  token: string | undefined;
  /** The visitor's address, for rate limits. */
  ip: string;
  idempotencyKey: string | undefined;
}

declare const proof: unique symbol;

/** Proof that someone is signed in; only `customer` and `admin` make one. */
export interface Customer {
  readonly [proof]: 'customer' | 'admin';
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly token: string;
  readonly hasSecondFactor: boolean;
  readonly isProven: boolean;
}

/** Proof that an administrator asks. */
export interface Admin extends Customer {
  readonly [proof]: 'admin';
}

declare const freshProof: unique symbol;

/** Proof that an administrator asks who has entered password or code again within the last ten minutes; only `proven` makes one. */
export interface ProvenAdmin extends Admin {
  readonly [freshProof]: true;
}

export function contextOf(request: FastifyRequest, services: Services): Ctx {
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
 * The signed-in user. Throws 401 without a live session; the rights are read from the database each time. A change that must not
 * be made for a session or a right that has just ended asks again inside its transaction (`transactionOf`).
 */
export async function customer(ctx: Pick<Ctx, 'db' | 'token' | 'config'>): Promise<Customer> {
  const who = await signedIn(ctx);
  if (ctx.config.isSecondFactorRequired && who.isAdmin && !who.hasSecondFactor) throw new Problem(403, SET_UP, { secondFactor: SET_UP });
  return who;
}

const SET_UP = 'This shop requires two-step login for administrators. Please set it up in your profile first.';

/** The same, also for an administrator who has yet to set up the second factor that the settings ask for: what may be done without it. */
export async function signedIn({ db, token }: Pick<Ctx, 'db' | 'token'>): Promise<Customer> {
  return customerOf(token ? await findSession(db, token) : undefined);
}

/** Whoever asks: the user where there is a live session, else undefined. For calls that anyone may make. */
export async function visitor(ctx: Ctx): Promise<Customer | undefined> {
  return ctx.token ? ((await findSession(ctx.db, ctx.token)) as Customer | undefined) : undefined;
}

/** The signed-in administrator. Throws 401 without a live session and 403 for anyone else. */
export async function admin(ctx: Pick<Ctx, 'db' | 'token' | 'config'>): Promise<Admin> {
  return adminOf(await customer(ctx));
}

/** The same, also without the second factor that the settings ask for. */
export async function signedInAdmin(ctx: Pick<Ctx, 'db' | 'token'>): Promise<Admin> {
  return adminOf(await signedIn(ctx));
}

const PASSWORD_AGAIN = 'Please enter your password again to continue.';
const CODE_AGAIN = 'Please enter a code of your authenticator app to continue.';

/**
 * For what a session left open, or stolen, must not do by itself. Throws 403 unless password or code were entered again lately (`POST
 * /api/users/proof`); the field of its error says which of the two is asked for.
 */
export function proven(who: Admin): ProvenAdmin {
  if (who.isProven) return who as ProvenAdmin;
  const text = who.hasSecondFactor ? CODE_AGAIN : PASSWORD_AGAIN;
  throw new Problem(403, text, { [who.hasSecondFactor ? 'code' : 'password']: text });
}

/**
 * For a change of rights by a specified call, which needs a session and nothing else (clarifications, section 12). Throws as `proven` does, but
 * only where the administrator has a second factor or `ADMIN_STEP_UP` is 1.
 */
export function provenWhereAsked(who: Admin, { isStepUpRequired }: Services['config']): void {
  if (who.hasSecondFactor || isStepUpRequired) proven(who);
}

/**
 * Runs a change by an administrator in a transaction that first reads session and role again and keeps them as they are until it ends. So a
 * right that has ended since the request came is refused with 401 or 403, and one that is about to end waits for this change.
 */
export function transactionOf<T>(db: Db, who: Admin, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    adminOf(customerOf(await lockSession(tx, who)));
    return change(tx);
  });
}

/** The same for a change by any customer, which an erasure of their account waits for: nothing is left of somebody who is gone. Throws 401. */
export function customerTransactionOf<T>(db: Db, who: Customer, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    customerOf(await lockSession(tx, who));
    return change(tx);
  });
}

function customerOf(session: SessionUser | undefined): Customer {
  if (!session) throw new Problem(401, 'Please log in.');
  return session as Customer;
}

function adminOf(session: Customer): Admin {
  if (!session.isAdmin) throw new Problem(403, 'Only administrators may do this.');
  return session as Admin;
}
