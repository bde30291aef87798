import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { ProblemReply } from '#contract/platform/problem.schema.ts';
import type { Services } from '#server/context/services.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { fileType, JSON_TYPE } from './route.ts';

const DESCRIPTION = `Amounts are integer pence, times ISO 8601. A customer who is logged in sends the session's token in the header \`Bearer\` or as \`Authorization: Bearer\`.
Every failure is JSON with a \`message\`; anything that is not listed at a call is 500, or 503 while the database cannot be reached.`;

/**
 * Serves the API's documentation at `/api/docs` and its OpenAPI document at `/api/docs/json`, from the routes' schemas. `replies` become named components;
 * `webhooks` are the messages that the shop sends.
 */
export async function describeApi(
  app: FastifyInstance,
  { cache, making }: Pick<Services, 'cache' | 'making'>,
  replies: Record<string, z.ZodType>,
  webhooks: object = {},
): Promise<void> {
  const securitySchemes = {
    session: { type: 'apiKey', in: 'header', name: 'Bearer' },
    authorization: { type: 'http', scheme: 'bearer' },
  } as const;
  const info = { title: 'Furniture shop', version: '1.0.0', description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } };
  const named = { ...replies, Problem: ProblemReply };
  const schemaRegistry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) schemaRegistry.add(schema, { id });
  const withSchemas = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info, servers: [{ url: '/' }], components: { securitySchemes } },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => {
      const described = withSchemas(document);
      // The library adds an input variant of each, to which no call refers.
      const { components } = described as { components?: { schemas?: Record<string, unknown> } };
      for (const name of Object.keys(named)) delete components?.schemas?.[`${name}Input`];
      return { ...described, webhooks } as typeof described;
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiHooks: {
      // Cached and compressed: the library would serialise the document, half a megabyte, for each request.
      preHandler: async (request, reply) => {
        reply.header('cache-control', 'no-cache');
        if (request.routeOptions.url !== '/api/docs/json') return;
        const make = async () => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(app.swagger()), dependsOn: [], keepEmpty: true });
        return cache.answer('/api/docs/json', request, reply, make, {
          places: making.pages,
          network: clientSite(request),
          isPlain: !request.url.includes('?'),
        });
      },
    },
  });
}

/** Descriptions of the statuses, the same for every call. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The payload is wrong; `errors` has a text for each field.',
  401: 'Nobody is logged in with this token.',
  403: 'Only administrators may do this; or they must enter password or code again, whichever `errors` names.',
  404: 'It does not exist, or belongs to somebody else.',
  409: 'It conflicts with the current state, such as a taken address, a changed price, or stock that is gone.',
  413: 'That is too large.',
  415: 'That type of content is not accepted.',
  429: 'Too many attempts. `Retry-After` says how many seconds to wait.',
  431: 'The headers are too large. Any call may answer that.',
  502: 'The payment provider refused.',
  503: 'The payment provider cannot be reached. `Retry-After` says when to try again.',
};

/** The error statuses of a call: by its role, by its body, and its own. */
export function errorsOf({ role, errors = [], body }: Endpoint): number[] {
  const statuses = new Set(errors);
  if (role !== 'visitor') statuses.add(401);
  if (role === 'admin') statuses.add(403);
  if (body) statuses.add(400).add(413).add(415);
  return [...statuses].sort((a, b) => a - b);
}

const IdempotencyKey = z.object({ 'idempotency-key': z.string().max(200).optional() });

/** The schema of a success: JSON, or a file. */
const answerOf = ({ download, reply }: Endpoint) =>
  download ? { description: 'A file.', content: { [fileType(download).split(';')[0] ?? '']: { schema: z.string() } } } : reply;

/** The operation id of a call, for generated clients: `GET /api/products/:id` is `getProductsById`. */
const operationIdOf = (name: string): string =>
  name
    .replace(' /api/', ' ')
    .replace('/:', '/by-')
    .toLowerCase()
    .replace(/[^a-z]+(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An endpoint's schemas for Fastify, which documents all of them and serialises with the reply's. */
export function schemaOf(endpoint: Endpoint): FastifySchema {
  const { name, url, role, summary, params, query, body, multipart, idempotencyKey, status = 200 } = endpoint;
  const errors = [...errorsOf(endpoint), 431].map((code) => [
    code,
    { description: STATUS_WORDS[code] ?? '', content: { 'application/json': { schema: ProblemReply } } },
  ]);
  const [, group, noun] = url.split('/');
  return {
    operationId: operationIdOf(name),
    summary,
    tags: [group === 'api' ? (noun ?? 'shop') : 'payments'],
    security: role === 'visitor' ? [] : [{ session: [] }, { authorization: [] }],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(idempotencyKey && { headers: IdempotencyKey }),
    ...(multipart && { consumes: ['multipart/form-data'] }),
    response: { [status]: answerOf(endpoint), ...Object.fromEntries(errors) },
  };
}
