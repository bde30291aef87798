import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { aFolder } from '#server/testing/a-folder.ts';
import { startObjectStorage } from '#server/testing/object-storage.ts';
import { openArchive, readText } from './archive.ts';

const storage = await startObjectStorage();
afterAll(() => storage.close());
const s3 = { ...storage, endpoint: storage.url, region: 'eu-west-2' };

test.each([
  ['a folder', join(aFolder('archive', afterAll), 'new'), undefined],
  ['a bucket', 's3:shop/database', s3],
])('%s keeps whole files by key, lists a folder of them in order, and removes it', async (_, place, bucket) => {
  const archive = await openArchive(place, bucket);
  expect(await archive.list('wal')).toEqual([]);
  expect(await readText(archive, 'latest/at')).toBeUndefined();
  for (const key of ['wal/B/2.gz', 'wal/A/1.gz', 'walls/x', 'wal/A/2.gz']) await archive.put(key, Buffer.from(key));
  await archive.put('latest/at', 'now');
  expect(await archive.list('wal')).toEqual(['wal/A/1.gz', 'wal/A/2.gz', 'wal/B/2.gz']);
  expect(await text(await archive.read('wal/A/2.gz'))).toBe('wal/A/2.gz');
  expect(await readText(archive, 'latest/at')).toBe('now');
  await archive.remove('wal/A');
  expect(await archive.list('wal')).toEqual(['wal/B/2.gz']);
  expect(storage.refused).toEqual([]);
});
