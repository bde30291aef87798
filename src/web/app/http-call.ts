import { type Call, urlOf } from '#contract/endpoint.ts';
import { GENERIC_MESSAGE, Problem } from '#contract/problem.ts';
import { readUserInfo } from './browser-storage.ts';

/** Makes a call over HTTP with the visitor's token. Throws the Problem that the server answered, or one of its own when there was no answer. */
export const httpCall: Call = async (endpoint, input) => {
  const { body } = input;
  const token = readUserInfo()?.token;
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers.Bearer = token;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey;
  const reply = await fetch(urlOf(endpoint, input), {
    method: endpoint.method,
    headers,
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
  }).catch(() => {
    throw new Problem(503, 'The shop cannot be reached. Please check your connection and try again.');
  });
  return (await readReply(reply)) as never;
};

/** The JSON of a successful reply. Throws the Problem of any other. */
export async function readReply(reply: Response): Promise<unknown> {
  const json: unknown = await reply.json().catch(() => undefined);
  if (reply.ok && json !== undefined) return json;
  const { message, errors } = (json ?? {}) as { message?: string; errors?: Record<string, string> };
  throw new Problem(reply.ok ? 502 : reply.status, message ?? GENERIC_MESSAGE, errors);
}
