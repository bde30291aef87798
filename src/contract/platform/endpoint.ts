import type { z } from 'zod';
import type { Right } from '#contract/accounts/roles.ts';

export type Role = 'visitor' | 'customer' | 'admin';
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call it: a role, or administrators with a right. Checked before the input is validated, and before a form with files is read. */
type Access = { role: Exclude<Role, 'admin'>; right?: undefined } | { role?: undefined; right: Right };
/** The same with the role of administrators. */
type Checked = { role: Exclude<Role, 'admin'>; right?: undefined } | { role: 'admin'; right: Right };
type RoleOf<A> = A extends { right: Right } ? 'admin' : A extends { role: infer R } ? R : never;

interface Definition {
  /** Also for an administrator who has not yet set up a required second factor. */
  allowsMissingSecondFactor?: true;
  /** For the API's documentation. */
  summary: string;
  /** Error statuses besides 401 and 403 of its role, and 400, 413 and 415 of its body. */
  errors?: readonly number[];
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body is a form with files, sent as multipart/form-data. */
  multipart?: true;
  /** The largest JSON body in kilobytes, if larger than usual. Anybody can send one: it is parsed before the right is checked. */
  maxBodyKb?: number;
  /** The largest file of its form in megabytes, if larger than usual. */
  maxFileMb?: number;
  /** The most files of its form, if fewer than usual. */
  maxFiles?: number;
  /** Honours the header `Idempotency-Key`: the same key and input have their effect once. */
  idempotencyKey?: true;
  /** Status of a success; 200 by default. */
  status?: 201;
}

/** A success is JSON, whose schema also strips unknown fields, or a file of this name. */
type Success = { reply: z.ZodType; download?: undefined } | { reply?: undefined; download: `${string}.csv` | `${string}.pdf` };

/** A call of the API: the server's route, its documentation, and the types of its callers. */
export type Endpoint = Definition & Checked & Success & { name: `${Method} /${string}`; method: Method; url: string };

/** Declares an endpoint by its method and URL. */
export function endpoint<N extends Endpoint['name'], const D extends Definition & Access & Success>(name: N, definition: D) {
  const role = (definition.right ? 'admin' : definition.role) as RoleOf<D>;
  return { name, ...methodAndUrlOf(name), ...definition, role };
}

const methodAndUrlOf = (name: string): Pick<Endpoint, 'method' | 'url'> => ({
  method: methodOf(name),
  url: name.slice(name.indexOf(' ') + 1),
});
export const methodOf = (name: string): Method => name.slice(0, name.indexOf(' ')) as Method;

/** A FormData in the browser. `fields` is never set; it carries the types of its fields. */
export interface Form<Fields> {
  readonly fields?: Fields;
}

/** A JSON text. `value` is never set; it carries the type of the content. */
export type JsonText<Value> = string & { readonly value?: Value };

/** A downloaded file: in the browser a Blob, which may be larger than memory. */
export interface Download {
  readonly type: string;
  readonly size: number;
}

/** Options of sending a call. */
export interface Sending {
  /** The browser finishes the request even if the page is left (keepalive). */
  outlivesPage?: true;
  /** Called with the share of the body that is sent, 0 to 1, in the browser. */
  onProgress?: (part: number) => void;
}

/** The input of a call: path parameters, query and body. */
export type InputOf<E> = Sending &
  (E extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown) &
  (E extends { query: infer S extends z.ZodType } ? { query: z.input<S> } : unknown) &
  (E extends { body: infer S extends z.ZodType } ? { body: E extends { multipart: true } ? Form<z.input<S>> : z.input<S> } : unknown) &
  (E extends { idempotencyKey: true } ? { idempotencyKey?: string } : unknown);

/** The reply of a call. */
export type ReplyOf<E> = E extends { reply: infer S extends z.ZodType } ? z.output<S> : Download;

/** The URL of a call: path values escaped, absent query values left out. */
export function urlOf(name: string, input: object): string {
  const { params = {}, query = {} } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
  const path = methodAndUrlOf(name).url.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}
