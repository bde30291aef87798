import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** What came back, with the body as text. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Requests to a server exactly as written: nothing on this side straightens their path. */
export function rawRequests(url: string) {
  const { hostname, port } = new URL(url);
  return async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> => {
    const [reply] = await once(request({ hostname, port, path, method, headers }).end(), 'response');
    return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
  };
}
