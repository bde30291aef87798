import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { apiRoutes } from '#server/app/app.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { testShop } from '#server/testing/harness.ts';
import { errorsOf } from './api-docs.ts';
import { fileType } from './route.ts';

const { app } = await testShop();

interface Operation {
  summary: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, object> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}
const document = (await app.inject({ url: '/api/docs/json' })).json<{
  openapi: string;
  components: { securitySchemes: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}>();
const operationOf = ({ method, url }: Endpoint) => document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

/** Every endpoint that the contract declares, found in its files. */
async function declared(): Promise<string[]> {
  const dir = join(ROOT, 'src/contract');
  const files = (await readdir(dir, { recursive: true })).filter((file) => file.endsWith('.endpoints.ts'));
  const exported = await Promise.all(files.map(async (file) => Object.values((await import(join(dir, file))) as object)));
  const isEndpoint = (value: unknown): value is Endpoint =>
    typeof value === 'object' && value !== null && 'method' in value && 'url' in value;
  return exported
    .flat()
    .filter(isEndpoint)
    .map(({ name }) => name)
    .sort();
}

test('every call of the contract is served, described, and nothing else is (§7.3)', async () => {
  const served = apiRoutes.map(({ endpoint }) => endpoint.name).sort();
  expect(served).toEqual(await declared());
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.sort()).toEqual(served);
});

test.each(apiRoutes.map(({ endpoint }) => ({ name: endpoint.name, endpoint })))(
  '$name says what it is for, who may call it, what it takes, what it answers and how it fails',
  ({ endpoint }) => {
    const { role, body, multipart, download, url } = endpoint;
    const operation = operationOf(endpoint);
    expect(operation?.summary).toMatch(/^[A-Z].{5,}/);
    expect(operation?.security.length).toBe(role === 'visitor' ? 0 : 2);
    const success = String(endpoint.status ?? 200);
    expect(
      Object.keys(operation?.responses ?? {})
        .map(Number)
        .sort(),
    ).toEqual([Number(success), ...errorsOf(endpoint), 431].sort());
    for (const [status, { description, content }] of Object.entries(operation?.responses ?? {})) {
      expect(description.length).toBeGreaterThan(0);
      expect(Object.keys(content)).toEqual([download && status === success ? fileType(download).split(';')[0] : 'application/json']);
    }
    for (const status of errorsOf(endpoint)) {
      expect(operation?.responses[status]?.description).not.toBe('Default Response');
      expect(operation?.responses[status]?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
    }
    const type = multipart ? 'multipart/form-data' : 'application/json';
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(body ? [type] : []);
    for (const [, name] of url.matchAll(/:(\w+)/g))
      expect(operation?.parameters).toContainEqual(expect.objectContaining({ name, in: 'path' }));
  },
);

test('the document is compressed, and is not sent again to those who have it', async () => {
  const ask = (headers: Record<string, string>) => app.inject({ url: '/api/docs/json', headers: { 'accept-encoding': 'br', ...headers } });
  for (let n = 0; n < 3; n += 1) {
    const { headers, rawPayload } = await ask({});
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['application/json; charset=utf-8', 'br']);
    expect(JSON.parse(String(brotliDecompressSync(rawPayload)))).toEqual(document);
  }
  const { etag = '' } = (await ask({})).headers;
  expect((await ask({ 'if-none-match': String(etag) })).statusCode).toBe(304);
});

test('the document has no error and no warning by the recommended rules of its linter', async () => {
  const folder = aFolder('api-document');
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const linter = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const asked = promisify(execFile)(process.execPath, [linter, 'lint', '--extends=recommended', '--format=json', file], { env });
  const { stdout } = await asked.catch((error: { stdout: string }) => error);
  expect((JSON.parse(stdout) as { problems: { message: string }[] }).problems.map(({ message }) => message)).toEqual([]);
});

test('each topic of webhooks is described with its headers and its message (§24.1)', () => {
  const { webhooks } = document as unknown as {
    webhooks: Record<string, { post: { parameters: { name: string }[]; requestBody: object } }>;
  };
  expect(Object.keys(webhooks)).toEqual(['order', 'return', 'stock', 'product']);
  for (const { post } of Object.values(webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    expect(JSON.stringify(post.requestBody)).toContain('"items":{"type":"array"');
  }
});

test('the order names its key, forms their files, and the session its two headers', () => {
  const [orders, products] = [document.paths['/api/orders']?.post, document.paths['/api/products']?.post];
  const [edit, imported] = [document.paths['/api/products/{id}']?.put, document.paths['/api/products/import']?.post];
  expect(orders?.parameters).toContainEqual(expect.objectContaining({ name: 'idempotency-key', in: 'header' }));
  for (const form of [products, edit]) expect(JSON.stringify(form?.requestBody)).toMatch(/"images":\{.*"format":"binary"/);
  expect(JSON.stringify(imported?.requestBody)).toMatch(/"file":\{.*"format":"binary"/);
  expect(Object.values(document.components.securitySchemes)).toEqual([
    { type: 'apiKey', in: 'header', name: 'Bearer' },
    { type: 'http', scheme: 'bearer' },
  ]);
});

test('the API’s page opens under the shop’s own policy', async () => {
  const page = await app.inject({ url: '/api/docs/' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>\s*\S/);
});
