import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '#server/base/ports.ts';
import { eventually } from '#server/testing/eventually.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startStandby } from '#server/testing/standby.ts';
import { connect } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { readsOn } from './replica.ts';

const dir = await mkdtemp(join(tmpdir(), 'shop-replica-'));
// Open to PostgreSQL's own account, so that the databases lie inside and go with the folder.
await chmod(dir, 0o711);
const postgres = await startEmbedded(join(dir, 'primary'), { settings: { fsync: 'off' } });
const primary = connect(postgres.url, { max: 5 });
await primary.pool.query('create table words (word text)');
const standby = await startStandby(postgres.url, join(dir, 'standby'), await freePort());
const { log, lines } = readableLog();
const onReplica = connect(standby.url, { max: 5 });
const reads = readsOn(primary, connect(standby.url, { max: 5, onError: () => undefined }), log);
afterAll(async () => {
  await reads.close();
  await onReplica.close();
  await primary.close();
  await standby.kill();
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
});

const isRead = async () => (await sql<{ there: boolean }>`select pg_is_in_recovery() as there`.execute(reads.db)).rows[0]?.there === true;
const words = async () => (await sql<{ word: string }>`select word from words`.execute(reads.db)).rows.map(({ word }) => word);

async function write(word: string): Promise<void> {
  await primary.pool.query('insert into words values ($1)', [word]);
  reads.changed();
}

test('reads go to the replica, and after a change to the primary until the replica has it', async () => {
  await eventually(async () => expect(await isRead()).toBe(true));
  await onReplica.pool.query('select pg_wal_replay_pause()');
  await eventually(async () =>
    expect((await onReplica.pool.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state).toBe('paused'),
  );
  for (const word of ['oak', 'ash']) {
    await write(word);
    expect([await words(), await isRead()]).toEqual([expect.arrayContaining([word]), false]);
  }
  await onReplica.pool.query('select pg_wal_replay_resume()');
  await eventually(async () => expect(await isRead()).toBe(true));
  expect(await words()).toEqual(['oak', 'ash']);
});

test('a replica that goes away is done without, and read again once it is back and has caught up', async () => {
  await standby.kill();
  // A connection that broke while it was idle may be handed out once more.
  await eventually(async () => expect(await isRead()).toBe(false));
  await write('elm');
  expect(await words()).toContain('elm');
  await eventually(() => expect(lines.map(({ msg }) => msg)).toContain('the replica is not read for the moment'));
  await standby.start();
  await eventually(async () => expect(await isRead()).toBe(true));
  expect(await words()).toContain('elm');
});
