import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#server/platform/database/connect.ts';
import { findFolder } from '#server/platform/database/embedded/installation.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { openArchive } from './archive.ts';
import { momentsOf, recover } from './recover.ts';
import { startShipping, WAL_SETTINGS } from './ship.ts';

const dir = aFolder('wal', afterAll);
const live = join(dir, 'live');
const place = join(dir, 'archive');
const archive = await openArchive(place, undefined);
let postgres: Awaited<ReturnType<typeof startEmbedded>>;
let database: ReturnType<typeof connect>;
let pool: typeof database.pool;
const troubles: (string | undefined)[] = [];
const open = () => startShipping({ pool, folder: findFolder(live), archive, keepDays: 14, onTrouble: (reason) => troubles.push(reason) });
let shipping: ReturnType<typeof open>;
// Not at the top: where all tests are left out, nothing would stop it.
beforeAll(async () => {
  postgres = await startEmbedded(live, { settings: WAL_SETTINGS });
  database = connect(postgres.url, { max: 2 });
  pool = database.pool;
  shipping = open();
});
afterAll(async () => {
  await shipping.stop();
  await database.close();
  await postgres.stop();
});

const add = (names: string[]) => pool.query('insert into pieces select unnest($1::text[])', [names]);
const now = async () => new Date((await pool.query<{ now: string }>('select clock_timestamp() as now')).rows[0]?.now ?? '');
async function piecesAt(at?: Date): Promise<string[]> {
  const copy = join(dir, crypto.randomUUID());
  await recover(copy, archive, at);
  const restored = await startEmbedded(copy);
  const { pool: opened, close } = connect(restored.url, { max: 1 });
  const { rows } = await opened.query<{ name: string }>('select name from pieces order by 1');
  await close();
  await restored.stop();
  return rows.map(({ name }) => name);
}

test('each moment since the first base backup comes back, to the second before a deletion, and to the last one', {
  tags: ['thorough'],
}, async () => {
  await pool.query('create table pieces (name text)');
  await add(['chair']);
  await shipping.ship();
  await add(['lamp', 'sofa']);
  const before = await now();
  await wait(50);
  await pool.query('delete from pieces');
  await shipping.ship();
  expect(await piecesAt(before)).toEqual(['chair', 'lamp', 'sofa']);
  expect(await piecesAt()).toEqual([]);
});

test('what was committed while the archive or the shop was away is there afterwards; a restart goes on in the same archive', {
  tags: ['thorough'],
}, async () => {
  await rename(place, `${place}-away`);
  await writeFile(place, '');
  await add(['desk']);
  await expect(shipping.ship()).rejects.toThrow();
  await rename(place, `${place}-file`);
  await rename(`${place}-away`, place);
  await shipping.stop();
  await add(['shelf']);
  shipping = open();
  await shipping.ship();
  expect(await piecesAt()).toEqual(['desk', 'shelf']);
});

test('WAL beyond one segment, a large file and an empty moment come back', { tags: ['thorough'] }, async () => {
  await pool.query('delete from pieces');
  await pool.query(`create table ballast as select i, repeat('x', 500) || i as text from generate_series(1, 60000) as i`);
  await add(['bench']);
  // Moments are whole milliseconds: in that of the insert, `latest` would be before it.
  await wait(5);
  await shipping.ship();
  expect(new Set((await archive.list('wal')).map((key) => key.split('/')[1])).size).toBeGreaterThan(2);
  expect(await piecesAt(shipping.latest)).toEqual(['bench']);
});

test('a moment outside of the archive, a folder with a database, a damaged base backup and the archive of another shop are refused', {
  tags: ['thorough'],
}, async () => {
  const { first, last } = await momentsOf(archive);
  const copy = join(dir, 'refused');
  for (const at of [new Date(first.getTime() - 1_000), new Date(last.getTime() + 60_000)])
    await expect(recover(copy, archive, at)).rejects.toThrow('The archive holds the moments from');
  await expect(recover(live, archive)).rejects.toThrow(/uses|There is a database/);
  await expect(momentsOf(await openArchive(join(dir, 'none'), undefined))).rejects.toThrow('no complete base backup');
  const other = startShipping({ pool, folder: findFolder(copy), archive, keepDays: 14, onTrouble: () => undefined });
  await expect(other.ship()).rejects.toThrow('the backups of another shop');
  await other.stop();
  const [part] = (await archive.list('bases')).filter((key) => key.includes('data.tar.gz'));
  const damaged = join(dir, 'damaged');
  await writeFile(join(place, part ?? ''), Buffer.from('not a backup'));
  await expect(recover(damaged, archive, first)).rejects.toThrow();
  expect(await readdir(join(damaged, 'cluster')).catch(() => [])).not.toContain('data');
});
