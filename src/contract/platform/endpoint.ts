import type { z } from 'zod';

export type Role = 'visitor' | 'customer' | 'admin';
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Definition {
  /** Who may call it; proven before anything is read or validated. */
  role: Role;
  /** Also for an administrator who has yet to set up the second factor that the settings ask for. */
  withoutSecondFactor?: true;
  /** What it does, for the API's documentation. */
  summary: string;
  /** Statuses that it may answer besides those that follow from its role and its input. */
  errors?: readonly number[];
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body is a form with files, sent as multipart/form-data. */
  multipart?: true;
  /** Megabytes that a file of its form may have, where that is more than for others. */
  maxFileMb?: number;
  /** Honours the header `Idempotency-Key`: the same key and input have their effect once. */
  idempotencyKey?: true;
  /** Status of a success; 200 unless said. */
  status?: 201;
}

/** A success is JSON, whose schema also strips what is not meant to leave the server, or a file of this name. */
type Success = { reply: z.ZodType; download?: undefined } | { reply?: undefined; download: `${string}.csv` | `${string}.pdf` };

/** One call of the API: at once the server's route, its documentation, and the types of those who call it by its name. */
export type Endpoint = Definition & Success & { name: `${Method} /${string}`; method: Method; url: string };

/** Declares an endpoint by its method and address. */
export function endpoint<N extends Endpoint['name'], const D extends Definition & Success>(name: N, definition: D) {
  return { name, ...placeOf(name), ...definition };
}

const placeOf = (name: string): Pick<Endpoint, 'method' | 'url'> => ({ method: methodOf(name), url: name.slice(name.indexOf(' ') + 1) });
export const methodOf = (name: string): Method => name.slice(0, name.indexOf(' ')) as Method;

/** A multipart body in the browser, a FormData; `fields` is never set: it carries the types of what was put in. */
export interface Form<Fields> {
  readonly fields?: Fields;
}

/** A text in JSON; `value` is never set: it carries the type of what the text says. */
export type JsonText<Value> = string & { readonly value?: Value };

/** A file that an endpoint hands out. In the browser it is a Blob, which may be larger than memory. */
export interface Download {
  readonly type: string;
  readonly size: number;
}

/** How a call is sent. */
export interface Sending {
  /** The browser finishes the request even when the page is left at once. */
  outlivesPage?: true;
  /** Hears how much of the body is sent, from 0 to 1: for forms with pictures. Only the browser calls it. */
  onProgress?: (part: number) => void;
}

/** What a call sends: values for the `:names` of its address, its query string and its body. */
export type InputOf<E> = Sending &
  (E extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown) &
  (E extends { query: infer S extends z.ZodType } ? { query: z.input<S> } : unknown) &
  (E extends { body: infer S extends z.ZodType } ? { body: E extends { multipart: true } ? Form<z.input<S>> : z.input<S> } : unknown) &
  (E extends { idempotencyKey: true } ? { idempotencyKey?: string } : unknown);

/** What a call answers. */
export type ReplyOf<E> = E extends { reply: infer S extends z.ZodType } ? z.output<S> : Download;

/** The address of a call: path values escaped, absent query values left out. */
export function urlOf(name: string, input: object): string {
  const { params = {}, query = {} } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
  const path = placeOf(name).url.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}
