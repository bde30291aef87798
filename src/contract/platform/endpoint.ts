/** What a call takes: values for the `:names` of its URL, its query string and its JSON body. */
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined | null>;
  body?: unknown;
  /** Sent as `Idempotency-Key`: the same key and body have their effect once. */
  idempotencyKey?: string;
  /** The browser finishes the request even when the page is left at once. */
  outlivesPage?: true;
  /** Hears how much of the body is sent, from 0 to 1: for forms with pictures. Only the browser calls it. */
  onProgress?: (part: number) => void;
}

/** A file that an endpoint hands out. In the browser it is a Blob, which may be larger than memory. */
export interface Download {
  readonly type: string;
  readonly size: number;
}

/**
 * One call of the API, at once the server's route, the browser's request and the server-rendered page's call.
 * It carries no validator, so that a shopper's page does not load one: the schemas stand beside it in `*.schema.ts`.
 */
export interface Endpoint<I extends Input = Input, O = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  /** The body is a form with files, sent as multipart/form-data: the browser hands over a FormData, and the route gets its fields. */
  readonly isMultipart?: boolean;
  /** Never set: carries the types only. */
  readonly types?: { input: I; output: O };
}

/** Declares an endpoint: its input and its reply are type arguments. */
export function endpoint<I extends Input, O>(method: Endpoint['method'], url: string): Endpoint<I, O> {
  return { method, url };
}

/** Declares an endpoint whose body is multipart. */
export function formEndpoint<I extends Input & { body: unknown }, O>(method: 'POST' | 'PUT', url: string): Endpoint<I, O> {
  return { method, url, isMultipart: true };
}

/** Makes a call, wherever the caller runs: over HTTP in the browser, straight into the service on the server. Throws a Problem. */
export type Call = <I extends Input, O>(endpoint: Endpoint<I, O>, input: I) => Promise<O>;

/** The address of a call: path values escaped, absent query values left out. */
export function urlOf(endpoint: Endpoint, { params = {}, query = {} }: Input): string {
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}
