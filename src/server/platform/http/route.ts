import { Readable } from 'node:stream';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import type { Call, Download, Endpoint, Input } from '#contract/platform/endpoint.ts';
import { GENERIC_MESSAGE, isProblem, Problem } from '#contract/platform/problem.ts';
import { storable } from '#contract/platform/storable.ts';
import { type Admin, admin, type Ctx, type Customer, contextOf, customer, signedIn, signedInAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { databaseProblem } from '#server/platform/database/connect.ts';
import { reportError } from '#server/platform/telemetry/error-reports.ts';
import { readMultipart } from './multipart.ts';
import { wordsOf } from './validation-messages.ts';

/** The validators of one endpoint; `reply` also strips what is not meant to leave the server. */
interface Schema<O> {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  reply: z.ZodType<O>;
}

type Part = 'params' | 'query' | 'body';
type Parsed<S> = { [K in keyof S & Part]: S[K] extends z.ZodType ? z.output<S[K]> : never };
type Raw = { [K in Part]?: unknown } & {
  /** Reads the body of a multipart endpoint, once the role is proven. */
  readForm?: () => Promise<unknown>;
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** The type of a file that is handed out. */
export const fileType = (name: string): string => (name.endsWith('.pdf') ? 'application/pdf' : 'text/csv; charset=utf-8');

export type Role = 'visitor' | 'customer' | 'admin';

interface Options {
  /** Status of a success; 200 unless said. */
  status?: number;
  /**
   * The answer is the same for everyone and changes with the catalogue only, so it may come from the page cache. Returns what of the
   * parsed input counts: inputs for which that is the same share one answer.
   */
  cached?: (input: Raw) => unknown;
  /** The answer is a file of this name, sent as it is made; its ending says its type. */
  download?: string;
  /** Megabytes that a file of its form may have, where that is more than for others. */
  maxFileMb?: number;
}

/** One endpoint with its validators, the role it asks for and the service call behind it. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly schema: Schema<unknown>;
  readonly role: Role;
  readonly options: Options;
  /** Proves the role first, then reads and validates, then runs. Throws a Problem. */
  run(raw: Raw, ctx: Ctx): Promise<unknown>;
}

/** A call that anyone may make. */
export function on<I extends Input, O, S extends Schema<O>>(
  endpoint: Endpoint<I, O>,
  schema: S,
  run: (input: Parsed<S>, ctx: Ctx) => Promise<O>,
  options: Options = {},
): Route {
  return { endpoint, schema, role: 'visitor', options, run: async (raw, ctx) => run(await readInput(schema, raw), ctx) };
}

/** Makes the helper for calls of one role: the service gets the proof of it. */
function onRole<W>(role: Role, prove: (ctx: Ctx) => Promise<W>) {
  return <I extends Input, O, S extends Schema<O>>(
    endpoint: Endpoint<I, O>,
    schema: S,
    run: (input: Parsed<S>, who: W, ctx: Ctx) => Promise<O>,
    options: Options = {},
  ): Route => {
    const proven: Route['run'] = async (raw, ctx) => {
      const who = await prove(ctx);
      return run(await readInput(schema, raw), who, ctx);
    };
    return { endpoint, schema, role, options, run: proven };
  };
}

/** A call for signed-in users. Who is not signed in is answered 401 before anything is read or validated. */
export const onCustomer = onRole<Customer>('customer', customer);

/** A call for administrators. Anyone else is answered 401 or 403 before anything is read or validated. */
export const onAdmin = onRole<Admin>('admin', admin);

/** The same two, also for an administrator who has yet to set up the second factor that the settings ask for. */
export const onAnyCustomer = onRole<Customer>('customer', signedIn);
export const onAnyAdmin = onRole<Admin>('admin', signedInAdmin);

/** A CSV file for administrators, handed out line by line as the service makes it; `query` is its only input. */
export function onDownload<I extends Input, Q extends z.ZodType>(
  endpoint: Endpoint<I, Download>,
  query: Q,
  download: string,
  run: (query: z.output<Q>, who: Admin, ctx: Ctx) => AsyncIterable<string>,
): Route {
  const schema = { query, reply: z.string() };
  const proven: Route['run'] = async (raw, ctx) => {
    const who = await admin(ctx);
    return Readable.from(run(parseWith(query, raw.query ?? {}), who, ctx));
  };
  return { endpoint, schema, role: 'admin', options: { download }, run: proven };
}

/** A PDF for signed-in users; `params` is its only input. */
export function onPdf<I extends Input, P extends z.ZodType>(
  endpoint: Endpoint<I, Download>,
  params: P,
  download: string,
  run: (params: z.output<P>, who: Customer, ctx: Ctx) => Promise<Buffer>,
): Route {
  const schema = { params, reply: z.string() };
  const proven: Route['run'] = async (raw, ctx) => {
    const who = await customer(ctx);
    return run(parseWith(params, raw.params ?? {}), who, ctx);
  };
  return { endpoint, schema, role: 'customer', options: { download }, run: proven };
}

async function readInput<S extends Schema<unknown>>(schema: S, { readForm, ...raw }: Raw): Promise<Parsed<S>> {
  return parse(schema, readForm ? { ...raw, body: await readForm() } : raw);
}

function parse<S extends Schema<unknown>>(schema: S, raw: Raw): Parsed<S> {
  const input: Raw = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const validator = schema[part];
    if (validator) input[part] = parseWith(validator, raw[part] ?? {});
  }
  return input as Parsed<S>;
}

/** Validates a value from outside, whose texts are made well-formed first. Throws 400 with the first message, and a text for each field. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(storable(value));
  if (result.success) return result.data;
  const { message, errors } = wordsOf(result.error);
  throw new Problem(400, message, Object.keys(errors).length > 0 ? errors : undefined);
}

/** Puts the routes on the server; `schemaOf` says what documents and serialises each. */
export function mount(app: FastifyInstance, routes: readonly Route[], services: Services, schemaOf: (route: Route) => FastifySchema): void {
  for (const route of routes) {
    const { endpoint, schema, options, run } = route;
    app.route({
      method: endpoint.method,
      url: endpoint.url,
      schema: schemaOf(route),
      handler: async (request, answer) => {
        const ctx = contextOf(request, services);
        const { params, query, body } = request;
        const raw: Raw = {
          params,
          query,
          ...(endpoint.isMultipart ? { readForm: () => readMultipart(request, options.maxFileMb) } : { body }),
        };
        if (options.cached) {
          const input = parse(schema, raw);
          const isOpen = schema.query !== undefined;
          const make = async () => ({
            status: 200,
            type: JSON_TYPE,
            body: JSON.stringify(schema.reply.parse(await run(input, ctx))),
            keepEmpty: !isOpen,
          });
          return services.cache.answer(`${endpoint.url} ${JSON.stringify(options.cached(input))}`, request, answer, () =>
            services.making[isOpen ? 'searches' : 'pages'].run(clientSite(request), make),
          );
        }
        const result = await run(raw, ctx);
        // Read-your-writes: invalidate before answering, so that the caller's next page shows the change.
        if (endpoint.method !== 'GET') await services.invalidation.catchUp();
        if (options.download)
          answer.type(fileType(options.download)).header('content-disposition', `attachment; filename="${options.download}"`);
        // What is not cached here is somebody's own: no browser or proxy keeps it either.
        return answer
          .status(options.status ?? 200)
          .header('cache-control', 'no-store')
          .send(result);
      },
    });
  }
}

/** The same calls without HTTP, for a page that a request is rendered for. Matches by method and URL, since development tools may load the contract twice. */
export function localCalls(routes: readonly Route[], services: Services): (requestId: string) => Call {
  const byName = new Map(routes.map((route) => [`${route.endpoint.method} ${route.endpoint.url}`, route]));
  const ctx: Ctx = { ...services, token: undefined, ip: 'server', idempotencyKey: undefined };
  return (requestId) => async (endpoint, input) => {
    const route = byName.get(`${endpoint.method} ${endpoint.url}`);
    if (!route) throw new Error(`No route serves ${endpoint.method} ${endpoint.url}.`);
    try {
      // What a page is made from is sent along in it: nothing but what the call answers over HTTP.
      return route.schema.reply.parse(await route.run(input as Raw, ctx)) as never;
    } catch (error) {
      if (isProblem(error)) throw error;
      const place = `${endpoint.method} ${endpoint.url}, for a page`;
      reportError(services, { source: 'server', error, requestId, place });
      throw databaseProblem(error) ?? new Problem(500, GENERIC_MESSAGE);
    }
  };
}
