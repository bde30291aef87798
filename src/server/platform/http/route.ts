import { Readable } from 'node:stream';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { z } from 'zod';
import type { Call } from '#contract/api.ts';
import { type Endpoint, urlOf } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { isAbsent } from '#contract/platform/lists.ts';
import { GENERIC_MESSAGE, isProblem, Problem } from '#contract/platform/problem.ts';
import { storable } from '#contract/platform/storable.ts';
import { wordsOf } from '#contract/platform/validation-messages.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type Ctx, type Customer, contextOf, requireSecondFactor, signedIn, signedInAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Dependency } from '#server/platform/cache/catalogue-changes.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { databaseProblem } from '#server/platform/database/connect.ts';
import { reportError } from '#server/platform/telemetry/error-reports.ts';
import { isKey } from '#server/sessions/keys.service.ts';
import { type LimitName, limit } from '#server/sessions/rate-limit.service.ts';
import { FilesOnDisk, readMultipart } from './multipart.ts';
import { senderOf } from './sender.ts';

/** The input of an endpoint's function: the validated request and, where a role is needed, `who`, the proof of it. */
type Input<E> = (E extends { params: infer S extends z.ZodType } ? { params: z.output<S> } : unknown) &
  (E extends { query: infer S extends z.ZodType } ? { query: z.output<S> } : unknown) &
  (E extends { body: infer S extends z.ZodType } ? { body: z.output<S> } : unknown) &
  (E extends { role: 'admin' } ? { who: Admin } : E extends { role: 'customer' } ? { who: Customer } : unknown);

/** The result of an endpoint's function: JSON, a PDF, or the rows of a CSV, which is streamed. */
type Answer<E> = E extends { reply: infer S extends z.ZodType }
  ? Promise<z.input<S>>
  : E extends { download: `${string}.pdf` }
    ? Promise<Buffer>
    : AsyncIterable<string>;

interface Raw {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** The body of a multipart endpoint, which is read once the role is proven. A slow upload is refused while `isAwaited`: others wait for its place. */
  form?: { sender: AbortSignal; read: (isAwaited: () => boolean) => Promise<unknown> };
}

/** The content type of JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** The content type of a download. */
export const fileType = (name: string): string => (name.endsWith('.pdf') ? 'application/pdf' : 'text/csv; charset=utf-8');

/** The place of an answer in the page cache. */
export interface Cached {
  /** Inputs with the same key share one answer. */
  key: unknown;
  dependsOn: readonly Dependency[];
}

/** An option for endpoints that need a login: a visitor's call has no account, and may have no token. */
type WithLogin<E, T> = E extends { role: 'visitor' } ? never : T;

interface Options<E> {
  /** The rate limit of the account that calls it. */
  limit?: WithLogin<E, LimitName>;
  /**
   * Waits for a turn before the first query: of `orderTurns` a call that may wait for a row with a connection in its hand, of `visitorTurns` one that asks for
   * many products and is not cached.
   */
  takesTurn?: boolean;
  /** Refuses a form before it is read. */
  beforeForm?: (input: Omit<Input<E>, 'body'>, ctx: Ctx) => Promise<void>;
  /** For an answer that is the same for everyone and changes only with the catalogue. A cached answer is sent without a check of the role. */
  cached?: E extends { role: 'visitor' } ? (input: Input<E>) => Cached : never;
}

/** An endpoint and its function. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly cached: ((input: Raw) => Cached) | undefined;
  /** Proves the role, reads and validates the input, counts towards the rate limit, then runs. Throws a Problem. */
  run(raw: Raw, ctx: Ctx): Promise<unknown>;
}

/** The answer of a call that has nothing else to say. */
export async function done(work: Promise<unknown>, message: string): Promise<Done> {
  await work;
  return { message };
}

/** Serves an endpoint with a function, whose types follow from the endpoint. */
export function route<const E extends Endpoint>(
  endpoint: E,
  run: (input: Input<E>, ctx: Ctx) => Answer<E>,
  { cached, beforeForm, limit: limitName, takesTurn }: Options<E> = {},
): Route {
  return {
    endpoint,
    cached: cached as Route['cached'],
    run: async (raw, requestCtx) => {
      const { form } = raw;
      const work = async (ctx: Ctx, read: () => Raw) => {
        const who = await prove(endpoint, ctx);
        const countCall = async () => {
          if (limitName && who) await limit(ctx.db, limitName, { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
        };
        if (form) {
          // Counts a form before it is read, which costs most; a JSON body, already read, only if it is valid.
          await countCall();
          if (beforeForm) await beforeForm({ ...parse(endpoint, raw, ['params', 'query']), who } as Input<E>, ctx);
          // Only a few forms are read at a time.
          const places = ctx.forms[endpoint.role === 'admin' ? 'staff' : 'others'];
          // Staff may upload slowly, even while others wait.
          const isAwaited = () => endpoint.role !== 'admin' && places.isAwaited;
          const readAndRun = async () => run({ ...parse(endpoint, { ...raw, body: await form.read(isAwaited) }), who } as Input<E>, ctx);
          return places.run(clientSite(ctx), readAndRun, form.sender);
        }
        const input = read();
        await countCall();
        const answer = await run({ ...input, who } as Input<E>, ctx);
        // Before its first row is read, and not for a refused one.
        if (who && endpoint.role === 'admin' && endpoint.download?.endsWith('.csv'))
          await recordDownload(ctx.db, who, endpoint.download, withoutDefaults(input.query, raw.query));
        return answer;
      };
      // Without a token, `prove` refuses the request before any query.
      if (!takesTurn || (endpoint.role !== 'visitor' && !requestCtx.token)) return work(requestCtx, () => parse(endpoint, raw));
      const read = parseNow(endpoint, raw);
      if (endpoint.role === 'visitor') {
        const input = read();
        return requestCtx.visitorTurns.run(clientSite(requestCtx), () => work(requestCtx, () => input));
      }
      return requestCtx.orderTurns.run(clientSite(requestCtx), (leaveTurn) => work({ ...requestCtx, leaveTurn }, read));
    },
  };
}

/** The values of a validated query that the client sent, without defaults. */
const withoutDefaults = (query: unknown, sent: unknown) => {
  const given = withoutAbsent(sent);
  return Object.entries(query ?? {}).filter(([name]) => Object.hasOwn(given, name));
};

/** Records in the audit log which list was downloaded with which filters, but not its search, which may be a customer's name. */
function recordDownload(db: Services['db'], who: Customer, file: string, query: readonly [string, unknown][]): Promise<void> {
  const chosen = query
    .filter(([name]) => name !== 'search')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  return recordChange(db, who, 'export', null, `Downloaded ${file}${chosen && ` (${chosen})`}`);
}

/** The signed-in user. Throws 401 or 403 without the role or the right. */
async function prove({ role, right, method, allowsMissingSecondFactor }: Endpoint, ctx: Ctx): Promise<Customer | undefined> {
  if (role === 'visitor') return undefined;
  // An API key has no account. Of customers' calls it may only read (orders, documents), within its rights.
  if (role === 'customer' && method !== 'GET' && isKey(ctx.token)) throw new Problem(403, 'An API key has no account. Please log in.');
  const who = role === 'admin' ? await signedInAdmin(ctx, right) : await signedIn(ctx);
  if (!allowsMissingSecondFactor) requireSecondFactor(who, ctx.config);
  return who;
}

/** The most values, nested ones included, in a request of a visitor or customer. A full cart has about 1,000. */
const MOST_VALUES = 5_000;

/** Throws 400 for a request with too many values, before they are validated: that would take tens of milliseconds. */
function refuseTooManyValues(value: unknown): void {
  const pending = [value];
  let count = 0;
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    const inner = Object.values(part);
    count += inner.length;
    if (count > MOST_VALUES) throw new Problem(400, 'The request has too many entries.');
    pending.push(...inner);
  }
}

/** A query without the parameters that mean nothing (specification §7.4). */
const withoutAbsent = (query: unknown): object =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => typeof value !== 'string' || !isAbsent(value.trim())));

/** The URL of a validated call as the shop's own browser writes it. Browsers escape apostrophes besides. */
const plainUrlOf = (name: string, { params, query }: Raw, sent: Raw): string =>
  urlOf(name, { params, query: Object.fromEntries(withoutDefaults(query, sent.query)) }).replaceAll("'", '%27');

const PARTS = ['params', 'query', 'body'] as const;

function parse(endpoint: Endpoint, raw: Raw, parts: readonly (typeof PARTS)[number][] = PARTS): Raw {
  const input: Raw = {};
  for (const part of parts) {
    const schema = endpoint[part];
    if (!schema) continue;
    if (endpoint.role !== 'admin') refuseTooManyValues(raw[part]);
    input[part] = parseWith(schema, part === 'query' ? withoutAbsent(raw.query) : (raw[part] ?? {}));
  }
  return input;
}

/**
 * Parses a request, so that its body, which may be a hundred times what is read of it, does not wait in memory for a turn. Returns a function that returns the
 * input, or throws what is wrong with it.
 */
function parseNow(endpoint: Endpoint, raw: Raw): () => Raw {
  try {
    const input = parse(endpoint, raw);
    return () => input;
  } catch (error) {
    return () => {
      throw error;
    };
  } finally {
    delete raw.body;
  }
}

/** Makes the texts of a value from outside well-formed and validates it. Throws 400 with the first message, and a text for each field. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(storable(value));
  if (result.success) return result.data;
  const { message, errors } = wordsOf(result.error);
  throw new Problem(400, message, Object.keys(errors).length > 0 ? errors : undefined);
}

/** The usual limit of a JSON body in kilobytes. */
export const MAX_BODY_KB = 16;

/** Registers the routes; `schemaOf` documents and serialises them. */
export function mount(
  app: FastifyInstance,
  routes: readonly Route[],
  services: Services,
  schemaOf: (endpoint: Endpoint) => FastifySchema,
): void {
  for (const { endpoint, cached, run } of routes) {
    const { method, url, download, reply, status = 200, maxBodyKb = MAX_BODY_KB } = endpoint;
    app.route({
      method,
      url,
      bodyLimit: maxBodyKb * 1024,
      // A large body is read only of somebody who may send it: as objects it takes megabytes.
      ...(maxBodyKb > MAX_BODY_KB &&
        endpoint.role === 'admin' && { onRequest: async (request) => void (await prove(endpoint, contextOf(request, services))) }),
      schema: schemaOf(endpoint),
      handler: async (request, answer) => {
        const ctx = contextOf(request, services);
        const { params, query } = request;
        const files = new FilesOnDisk();
        const sender = endpoint.multipart && senderOf(request);
        const form = sender && {
          sender,
          read: (isAwaited: () => boolean) => readMultipart(request, endpoint, files, { sender, isAwaited }),
        };
        const raw: Raw = { params, query, ...(form ? { form } : { body: request.body }) };
        // Only `raw` holds it, as long as it is needed.
        request.body = undefined;
        if (cached) {
          // For the key; `run` parses again, but only if the answer must be made.
          const input = parse(endpoint, raw);
          const { key, dependsOn } = cached(input);
          const hasQuery = endpoint.query !== undefined;
          const make = async () => ({
            status,
            type: JSON_TYPE,
            body: JSON.stringify(reply?.parse(await run(input, ctx))),
            dependsOn,
            // Searches without results are too many to keep.
            keepEmpty: !hasQuery,
          });
          const places = services.making[hasQuery ? 'searches' : 'pages'];
          const turn = {
            places,
            network: clientSite(request),
            isPlain: request.url === plainUrlOf(endpoint.name, input, raw),
          };
          return services.cache.answer(`${url} ${JSON.stringify(key)}`, request, answer, make, turn);
        }
        const result = await run(raw, ctx).finally(() => files.remove());
        // Read-your-writes: invalidate before answering, so that the caller's next page shows the change.
        if (method !== 'GET') await services.invalidation.catchUp();
        if (download) answer.type(fileType(download)).header('content-disposition', `attachment; filename="${download}"`);
        // Uncached answers are personal: no browser or proxy may keep them.
        return answer
          .status(status)
          .header('cache-control', 'no-store')
          .send(download?.endsWith('.csv') ? Readable.from(result as AsyncIterable<string>) : result);
      },
    });
  }
}

/** The same calls without HTTP, for rendering a page on the server. */
export function localCalls(routes: readonly Route[], services: Services): (requestId: string) => Call {
  const byName = new Map<string, Route>(routes.map((route) => [route.endpoint.name, route]));
  const ctx: Ctx = { ...services, token: undefined, ip: 'server', idempotencyKey: undefined };
  return (requestId) => async (name, input) => {
    const route = byName.get(name);
    if (!route) throw new Error(`No route serves ${name}.`);
    try {
      // The page's data is sent with it, so it must hold no more than the API's answer.
      return route.endpoint.reply?.parse(await route.run(input as Raw, ctx)) as never;
    } catch (error) {
      if (isProblem(error)) throw error;
      reportError(services, { source: 'server', error, requestId, place: `${name}, for a page` });
      throw databaseProblem(error) ?? new Problem(500, GENERIC_MESSAGE);
    }
  };
}
