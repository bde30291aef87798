import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';

/** An idempotent request: its key, and a hash of its payload. */
export interface KeyedRequest {
  key: string;
  payloadHash: Buffer;
}

/** The key of a request with a hash of its payload; undefined without a key. Throws 400 for a key that is too long. */
export function keyedRequest(key: string | undefined, payload: unknown): KeyedRequest | undefined {
  if (!key) return undefined;
  if (key.length > 200) throw new Problem(400, 'The Idempotency-Key is too long.');
  return { key, payloadHash: createHash('sha256').update(JSON.stringify(payload)).digest() };
}

/** The stored key of an order by phone. The index of migration 0915 covers the keys with this prefix. */
export const phoneKey = (key: string | undefined): string | undefined => key && `phone ${key}`;

/** Throws 409 for a key that was used with another payload. */
function checkSame({ payloadHash }: KeyedRequest, earlierHash: Buffer | null, refusal: string): void {
  if (!earlierHash?.equals(payloadHash)) throw new Problem(409, refusal);
}

/** The order or card checkout of an earlier request with this key. Throws 409 if its payload was another. */
export async function findEarlierOrder(tx: Tx, who: Pick<Customer, '_id'>, request: KeyedRequest | undefined) {
  if (!request) return undefined;
  const earlier = await tx
    .selectFrom('orders')
    .select(['id', 'status', 'payloadHash'])
    .where('userId', '=', who._id)
    .where('idempotencyKey', '=', request.key)
    .executeTakeFirst();
  if (earlier) checkSame(request, earlier.payloadHash, 'This order has already been placed with different items.');
  return earlier;
}

/** The order by phone of an earlier request with this key, for any customer. Another request with the key waits. Throws 409 if its payload was another. */
export async function findEarlierByPhone(tx: Tx, request: KeyedRequest | undefined) {
  if (!request) return undefined;
  await lockName(tx, request.key);
  const earlier = await tx
    .selectFrom('orders')
    .select(['id', 'payloadHash'])
    .where('idempotencyKey', '=', request.key)
    .where(sql<SqlBool>`idempotency_key like 'phone %'`)
    .executeTakeFirst();
  if (earlier) checkSame(request, earlier.payloadHash, 'This order has already been placed with different items, or for another customer.');
  return earlier;
}

const REPEATED_OTHERWISE = {
  overpayments: 'This has already been recorded, with another sum. Reload the page to see it.',
  orderRefunds: 'This refund has already been made, for something else. Reload the page to see it.',
} as const;

/** Whether this key has stored an overpayment, or a refund, of the order. Throws 409 if its payload was another. */
export async function isRepeated(
  tx: Tx,
  table: keyof typeof REPEATED_OTHERWISE,
  orderId: string,
  request: KeyedRequest | undefined,
): Promise<boolean> {
  if (!request) return false;
  const earlier = await tx
    .selectFrom(table)
    .select('requestHash')
    .where('orderId', '=', orderId)
    .where('requestKey', '=', request.key)
    .executeTakeFirst();
  if (earlier) checkSame(request, earlier.requestHash, REPEATED_OTHERWISE[table]);
  return earlier !== undefined;
}
