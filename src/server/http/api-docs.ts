import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** Describes the API at `/api/docs`, and as OpenAPI at `/api/docs/json`, from the routes' own schemas. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { openapi: { info: { title: 'Furniture shop', version: '1.0.0' } }, transform: jsonSchemaTransform });
  await app.register(swaggerUi, { routePrefix: '/api/docs' });
}
