import type { Call } from '#contract/api.ts';
import { methodOf, type Sending, urlOf } from '#contract/platform/endpoint.ts';
import { GENERIC_MESSAGE, Problem } from '#contract/platform/problem.ts';
import { readUserInfo } from './browser-storage.ts';

export const PREFETCH_TTL_MS = 10_000;

/** Prefetched replies, each used once. Keyed by session, so that nobody sees another's data. */
const prefetched = new Map<string, { reply: Promise<unknown>; until: number }>();
const keyOf = (name: string, input: object) => `${readUserInfo()?.token ?? ''} ${urlOf(name, input)}`;

type CallInput = Sending & { body?: unknown; idempotencyKey?: string };

/** Calls the API with the visitor's token. Throws the server's Problem or, without an answer, one of its own. */
export const httpCall: Call = (name, input) => {
  const key = keyOf(name, input);
  const early = prefetched.get(key);
  prefetched.delete(key);
  // After a change, prefetched replies may be outdated.
  if (methodOf(name) !== 'GET') return sendRequest(name, input).finally(() => prefetched.clear()) as never;
  return (early && Date.now() < early.until ? early.reply : sendRequest(name, input)) as never;
};

/** Calls early: the next `httpCall` of the same URL takes the reply. */
export const prefetchCall: Call = (name, input) => {
  const key = keyOf(name, input);
  const reply = sendRequest(name, input);
  prefetched.set(key, { reply, until: Date.now() + PREFETCH_TTL_MS });
  // A failure is not kept: the next call asks again.
  reply.catch(() => prefetched.delete(key));
  return reply as never;
};

async function sendRequest(name: string, input: CallInput): Promise<unknown> {
  const { body, onProgress } = input;
  const token = readUserInfo()?.token;
  const isForm = body instanceof FormData;
  // Without a body, still undefined.
  const payload = isForm ? body : JSON.stringify(body);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers.Bearer = token;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey;
  const init = {
    method: methodOf(name),
    headers,
    body: payload ?? null,
    keepalive: input.outlivesPage ?? false,
  };
  const url = urlOf(name, input);
  const reply = await (onProgress ? import('./upload.ts').then(({ upload }) => upload(url, init, onProgress)) : fetch(url, init)).catch(
    () => {
      throw new Problem(503, 'We can’t reach the shop. Please check your connection and try again.');
    },
  );
  return readReply(reply);
}

/** JSON, or a file. Throws the Problem of a failure. */
async function readReply(reply: Response): Promise<unknown> {
  if (reply.ok && /^(text\/csv|application\/pdf)/.test(reply.headers.get('content-type') ?? '')) return reply.blob();
  const json: unknown = await reply.json().catch(() => undefined);
  if (reply.ok && json !== undefined) return json;
  const { message, errors } = (json ?? {}) as { message?: string; errors?: Record<string, string> };
  const retryAfter = Number(reply.headers.get('retry-after')) || undefined;
  throw new Problem(reply.ok ? 502 : reply.status, message ?? GENERIC_MESSAGE, errors, retryAfter);
}
