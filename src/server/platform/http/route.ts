import { Readable } from 'node:stream';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { z } from 'zod';
import type { Call } from '#contract/api.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
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
import { type Limited, limit } from '#server/sessions/rate-limit.service.ts';
import { FilesOnDisk, readMultipart } from './multipart.ts';

/** The input of an endpoint's function: the validated request and, where a role is needed, `who`, the proof of it. */
type Read<E> = (E extends { params: infer S extends z.ZodType } ? { params: z.output<S> } : unknown) &
  (E extends { query: infer S extends z.ZodType } ? { query: z.output<S> } : unknown) &
  (E extends { body: infer S extends z.ZodType } ? { body: z.output<S> } : unknown) &
  (E extends { role: 'admin' } ? { who: Admin } : E extends { role: 'customer' } ? { who: Customer } : unknown);

/** Its result: a CSV is streamed line by line. */
type Answer<E> = E extends { reply: infer S extends z.ZodType }
  ? Promise<z.input<S>>
  : E extends { download: `${string}.pdf` }
    ? Promise<Buffer>
    : AsyncIterable<string>;

interface Raw {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** Reads the body of a multipart endpoint, once the role is proven. `isAwaited` says whether others wait for its place. */
  readForm?: (isAwaited: () => boolean) => Promise<unknown>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The content type of a download. */
export const fileType = (name: string): string => (name.endsWith('.pdf') ? 'application/pdf' : 'text/csv; charset=utf-8');

/** The place of an answer in the page cache. */
export interface Cached {
  /** Inputs with the same key share one answer. */
  key: unknown;
  dependsOn: readonly Dependency[];
}

interface Options<E> {
  /** The rate limit of the account that calls it. */
  limit?: Limited;
  /** Waits for a turn of `orderTurns` before the first query. */
  takesTurn?: boolean;
  /** Refuses a form before it is read. */
  first?: (input: Omit<Read<E>, 'body'>, ctx: Ctx) => Promise<void>;
  /** For an answer that is the same for everyone and changes only with the catalogue. */
  cached?: (input: Read<E>) => Cached;
}

/** An endpoint and its function. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly cached: ((input: Raw) => Cached) | undefined;
  /** Proves the role, reads and validates the input, counts towards the rate limit, then runs. Throws a Problem. */
  run(raw: Raw, ctx: Ctx): Promise<unknown>;
}

/** Serves an endpoint with a function, whose types follow from the endpoint. */
export function route<const E extends Endpoint>(
  endpoint: E,
  run: (input: Read<E>, ctx: Ctx) => Answer<E>,
  { cached, first, limit: limited, takesTurn = false }: Options<E> = {},
): Route {
  return {
    endpoint,
    cached: cached as Route['cached'],
    run: ({ readForm, ...raw }, ctx) => {
      const work = async (own: Ctx) => {
        const who = await prove(endpoint, own);
        const count = async () => {
          if (limited && who) await limit(own.db, limited, { ip: own.ip, account: who._id, factor: own.config.rateLimitFactor });
        };
        if (readForm) {
          // What costs most is reading it.
          await count();
          if (first) await first({ ...parse(endpoint, raw, ['params', 'query']), who } as Read<E>, own);
          const places = own.forms[endpoint.role === 'admin' ? 'staff' : 'others'];
          // A large form of staff may take its time.
          const isAwaited = () => endpoint.role !== 'admin' && places.isAwaited;
          return places.run(clientSite(own), async () =>
            run({ ...parse(endpoint, { ...raw, body: await readForm(isAwaited) }), who } as Read<E>, own),
          );
        }
        const input = parse(endpoint, raw);
        await count();
        if (who && endpoint.role === 'admin' && endpoint.download?.endsWith('.csv'))
          await recordDownload(own.db, who, endpoint.download, sentOf(input.query, raw.query));
        return run({ ...input, who } as Read<E>, own);
      };
      // Without a token it is refused without a query.
      if (!takesTurn || !ctx.token) return work(ctx);
      return ctx.orderTurns.run(clientSite(ctx), (leaveTurn) => work({ ...ctx, leaveTurn }));
    },
  };
}

/** The values of a query that were sent, without those that are there by default. */
const sentOf = (query: unknown, sent: unknown) => Object.entries(query ?? {}).filter(([name]) => Object.hasOwn(sent ?? {}, name));

/** Notes in the log which list was taken. A search is not written down: it may be the name of a customer. */
function recordDownload(db: Services['db'], who: Customer, file: string, query: readonly [string, unknown][]): Promise<void> {
  const chosen = query
    .filter(([name]) => name !== 'search')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  return recordChange(db, who, 'export', null, `Downloaded ${file}${chosen && ` (${chosen})`}`);
}

/** The signed-in user. Throws 401 or 403 without the role or the right. */
async function prove({ role, right, method, withoutSecondFactor }: Endpoint, ctx: Ctx): Promise<Customer | undefined> {
  if (role === 'visitor') return undefined;
  // Of a customer's calls a key may read orders and documents, as far as its rights go: it has no account of its own.
  if (role === 'customer' && method !== 'GET' && isKey(ctx.token)) throw new Problem(403, 'An API key has no account. Please log in.');
  const who = role === 'admin' ? await signedInAdmin(ctx, right) : await signedIn(ctx);
  if (!withoutSecondFactor) requireSecondFactor(who, ctx.config);
  return who;
}

/** Values that a request of a visitor or customer may have, with those within others: a full cart has about 1,000. */
const MOST_VALUES = 5_000;

/** Throws 400 for a request with too many values, before each of them is looked at: that would take tens of milliseconds. */
function refuseLong(value: unknown): void {
  const open = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined || open.length > 0; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const inner = Object.values(part);
    count += inner.length;
    if (count > MOST_VALUES) throw new Problem(400, 'The request has too many entries.');
    open.push(...inner);
  }
}

const PARTS = ['params', 'query', 'body'] as const;

function parse(endpoint: Endpoint, raw: Raw, parts: readonly (typeof PARTS)[number][] = PARTS): Raw {
  const input: Raw = {};
  for (const part of parts) {
    const schema = endpoint[part];
    if (!schema) continue;
    if (endpoint.role !== 'admin') refuseLong(raw[part]);
    input[part] = parseWith(schema, raw[part] ?? {});
  }
  return input;
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
      schema: schemaOf(endpoint),
      handler: async (request, answer) => {
        const ctx = contextOf(request, services);
        const { params, query, body } = request;
        const files = new FilesOnDisk();
        const sent = endpoint.multipart
          ? { readForm: (isAwaited: () => boolean) => readMultipart(request, endpoint, files, isAwaited) }
          : { body };
        const raw: Raw = { params, query, ...sent };
        if (cached) {
          const input = parse(endpoint, raw);
          const { key, dependsOn } = cached(input);
          const isOpen = endpoint.query !== undefined;
          const make = async () => ({
            status,
            type: JSON_TYPE,
            body: JSON.stringify(reply?.parse(await run(input, ctx))),
            dependsOn,
            keepEmpty: !isOpen,
          });
          return services.cache.answer(`${url} ${JSON.stringify(key)}`, request, answer, make, (work) =>
            services.making[isOpen ? 'searches' : 'pages'].run(clientSite(request), work),
          );
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
