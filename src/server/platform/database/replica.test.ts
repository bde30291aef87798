import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '#server/platform/ports.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startStandby } from '#server/testing/standby.ts';
import { connect } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { readsOn } from './replica.ts';

const dir = aFolder('replica', afterAll);
const postgres = await startEmbedded(join(dir, 'primary'), { settings: { fsync: 'off' } });
const primary = connect(postgres.url, { max: 5 });
await primary.pool.query('create table words (word text)');
const standby = await startStandby(postgres.url, join(dir, 'standby'), await freePort());
const { log, lines } = readableLog();
const onReplica = connect(standby.url, { max: 5 });
const second = await startStandby(postgres.url, join(dir, 'second'), await freePort());
const onSecond = connect(second.url, { max: 5 });
const replicaOf = ({ url }: { url: string }) => connect(url, { max: 5, onError: () => undefined });
const reads = readsOn(primary, [replicaOf(standby)], log);
const readsOfTwo = readsOn(primary, [replicaOf(standby), replicaOf(second)], log);
afterAll(async () => {
  await readsOfTwo.close();
  await reads.close();
  await onSecond.close();
  await onReplica.close();
  await primary.close();
  await standby.kill();
  await second.kill();
  await postgres.stop();
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

/** The port that answers ten reads, one after the other: each once, sorted; 0 for the primary. */
async function answering(): Promise<number[]> {
  const ports = new Set<number>();
  for (let n = 0; n < 10; n += 1) {
    const { rows } = await sql<{ port: number }>`
      select case when pg_is_in_recovery() then current_setting('port')::int else 0 end as port`.execute(readsOfTwo.db);
    ports.add(rows[0]?.port ?? -1);
  }
  return [...ports].sort((a, b) => a - b);
}

test('of several replicas each is read only while it has every change', async () => {
  const [one, other] = [standby, second].map(({ url }) => Number(new URL(url).port));
  const both = [one, other].sort((a = 0, b = 0) => a - b);
  await eventually(async () => expect(await answering()).toEqual(both));
  await onSecond.pool.query('select pg_wal_replay_pause()');
  await eventually(async () =>
    expect((await onSecond.pool.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state).toBe('paused'),
  );
  await primary.pool.query("insert into words values ('yew')");
  readsOfTwo.changed();
  await eventually(async () => expect(await answering()).toEqual([one]));
  expect((await sql<{ word: string }>`select word from words`.execute(readsOfTwo.db)).rows).toContainEqual({ word: 'yew' });
  await onSecond.pool.query('select pg_wal_replay_resume()');
  await eventually(async () => expect(await answering()).toEqual(both));
  await primary.pool.query("delete from words where word = 'yew'");
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
