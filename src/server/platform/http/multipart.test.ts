import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { FilesOnDisk, readMultipart } from './multipart.ts';

const shop = await testShop();
const { headers } = await anAdmin(shop.db);

const FIELDS = { name: 'Oslo', description: 'A sofa.', fit: 'Deep', category: 'Sofa', brand: 'Alder', price: '100', countInStock: '1' };
const aFile = (text: string, name = 'a.csv') => new File([text], name);

async function send(path: string, parts: [string, string | File][]): Promise<{ status: number; message: string; errors?: object }> {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const reply = await fetch(shop.url + path, { method: 'POST', headers, body: form });
  return { status: reply.status, ...((await reply.json()) as { message: string; errors?: object }) };
}

test.each<[string, string, [string, string | File][], number, string]>([
  ['malformed JSON', '/api/products', [...Object.entries(FIELDS), ['sizes', '[{']], 400, 'Sizes is not valid JSON.'],
  ['JSON of another shape', '/api/products', [...Object.entries(FIELDS), ['colors', '"red"']], 400, 'Colors must be a list.'],
  ['a field that comes twice', '/api/products', [...Object.entries(FIELDS), ['name', 'Bergen']], 400, 'Name is required.'],
  [
    'more files than any form takes',
    '/api/products',
    Array.from({ length: 14 }, () => ['images', aFile('x')]),
    413,
    'Too many files were sent at once.',
  ],
  ['an import without a file', '/api/products/import', [['fingerprint', 'x']], 400, 'Choose a CSV file.'],
  ['an import of a text', '/api/products/import', [['file', '_id,name']], 400, 'Choose a CSV file.'],
  [
    'an import of two files',
    '/api/products/import',
    [
      ['file', aFile('_id')],
      ['file', aFile('_id')],
    ],
    400,
    'Choose a CSV file.',
  ],
  ['an import of an empty file', '/api/products/import', [['file', aFile('')]], 400, 'The file is empty.'],
])('a form with %s is refused in words', async (_, path, parts, status, message) => {
  expect(await send(path, parts)).toMatchObject({ status, message });
});

test.each([
  ['is JSON', 'application/json', '{}', 415, 'Send the form as multipart/form-data.'],
  [
    'breaks off',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nOs',
    400,
    'The form cannot be read.',
  ],
])('a body that %s is no form', async (_, type, payload, status, message) => {
  for (const url of ['/api/products', '/api/products/import']) {
    const reply = await shop.app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload });
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([status, message]);
  }
});

test('a form that does not end is given up after ten seconds if others wait, and nothing of it is read on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [whole, slow] = [new PassThrough().end('x'.repeat(1_000)), new PassThrough()];
  const partOf = (file: PassThrough) => ({ type: 'file', fieldname: 'images', filename: 'a.png', file });
  const request = { isMultipart: () => true, parts: () => [partOf(whole), partOf(slow)].values() };
  const read = readMultipart(request as unknown as FastifyRequest, {}, new FilesOnDisk(), {
    sender: new AbortController().signal,
    isAwaited: () => true,
  });
  const refused = expect(read).rejects.toMatchObject({ status: 408 });
  slow.write('the beginning');
  await eventually(() => expect(slow.listenerCount('readable')).toBe(1));
  vi.advanceTimersByTime(9_000);
  expect(slow.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  await refused;
  expect(slow.destroyed).toBe(true);
});

test('of a sheet that is taken or refused nothing stays on disk', async () => {
  const folder = aFolder('uploads');
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await send('/api/products/import', [['file', aFile('_id,name\n,Oslo')]])).toMatchObject({ status: 200 });
  expect(await send('/api/products/import', [['file', aFile('PK\u0003\u0004')]])).toMatchObject({ status: 415 });
  expect(await send('/api/products/import', [['file', aFile('')]])).toMatchObject({ status: 400 });
  expect(readdirSync(folder)).toEqual([]);
});
