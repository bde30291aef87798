import { randomUUID } from 'node:crypto';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the API of a shop with a session's token. Returns the JSON or the text of the answer; throws an Error with it unless it is a success. */
export async function callShop<T>(
  url: string,
  method: Method,
  path: string,
  { as = '', body }: { as?: string; body?: object } = {},
): Promise<T> {
  const reply = await fetch(url + path, {
    method,
    headers: { bearer: as, 'idempotency-key': randomUUID(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} ${JSON.stringify(body ?? '').slice(0, 300)}: ${reply.status} ${text.slice(0, 300)}`);
  return (reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T;
}
