import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ProblemReply } from '#contract/platform/problem.schema.ts';
import { API_WORDS, nameOf, STATUS_WORDS } from './api-words.ts';
import { fileType, type Route } from './route.ts';

const DESCRIPTION = `Amounts are integer pence, times ISO 8601. A customer who is logged in sends the session's token in the header \`Bearer\` or as \`Authorization: Bearer\`.
Every failure is JSON with a \`message\`; anything that is not listed at a call is 500, or 503 while the database cannot be reached.`;

/** Describes the API at `/api/docs`, and as OpenAPI at `/api/docs/json`, from the routes' own schemas. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const securitySchemes = {
    session: { type: 'apiKey', in: 'header', name: 'Bearer' },
    authorization: { type: 'http', scheme: 'bearer' },
  } as const;
  const info = { title: 'Furniture shop', version: '1.0.0', description: DESCRIPTION };
  await app.register(swagger, { openapi: { info, components: { securitySchemes } }, transform: jsonSchemaTransform });
  await app.register(swaggerUi, { routePrefix: '/api/docs' });
}

/** The errors that a call may answer: by its role, by what it reads, and its own. */
export function errorsOf({ endpoint, role, schema }: Route): number[] {
  const errors = new Set(API_WORDS[nameOf(endpoint)]?.errors ?? []);
  if (role !== 'visitor') errors.add(401);
  if (role === 'admin') errors.add(403);
  if (schema.body) errors.add(400).add(413).add(415);
  return [...errors].sort((a, b) => a - b);
}

const IdempotencyKey = z.object({ 'idempotency-key': z.string().max(200).optional() });

/** What a success answers: JSON, or a file. */
const answerOf = ({ options, schema }: Route) =>
  options.download
    ? { description: 'A file.', content: { [fileType(options.download).split(';')[0] ?? '']: { schema: schema.reply } } }
    : schema.reply;

/** A route's schemas for Fastify, which documents with all of them and serialises with the reply's. */
export function schemaOf(route: Route): FastifySchema {
  const { endpoint, options, role, schema } = route;
  const { params, query, body } = schema;
  const errors = errorsOf(route).map((status) => [status, ProblemReply.describe(STATUS_WORDS[status] ?? '')]);
  const [, group, name] = endpoint.url.split('/');
  return {
    summary: API_WORDS[nameOf(endpoint)]?.summary ?? '',
    tags: [group === 'api' ? (name ?? 'shop') : 'payments'],
    security: role === 'visitor' ? [] : [{ session: [] }, { authorization: [] }],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(endpoint.url === '/api/orders' && endpoint.method === 'POST' && { headers: IdempotencyKey }),
    ...(endpoint.isMultipart && { consumes: ['multipart/form-data'] }),
    response: { [options.status ?? 200]: answerOf(route), ...Object.fromEntries(errors) },
  };
}
