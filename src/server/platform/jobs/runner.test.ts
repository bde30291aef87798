import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { runJobs, startJobs } from '#server/app/jobs.ts';
import { mailer } from '#server/gateways/mail.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { releaseDeadWorkers } from './liveness.ts';
import { enqueue } from './queue.ts';

const shop = await testShop();
const { db } = shop;
const mailTo = (to: string) => ({ to, subject: 'A word from the shop', text: 'Hello', html: '<p>Hello</p>' });

beforeEach(() => sql`delete from graphile_worker._private_jobs`.execute(db));

/** The shop's services with a mail server of their own and a log to read. */
async function withMailServer() {
  const server = await startMailServer();
  const { log, lines, text } = readableLog();
  const services = { ...shop.services, log, mailer: mailer({ ...shop.services.config, smtpUrl: server.url }, log) };
  return { server, services, lines, text };
}

test('a mail is queued in the transaction of what it speaks of: both happen or neither', async () => {
  await expect(
    db.transaction().execute(async (tx) => {
      await enqueue(tx, 'sendMail', mailTo('never@example.com'));
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await queuedJobs(db, 'sendMail')).toEqual([]);
});

test('a mail that fails is tried again, later each time, and sent once the server is back (§15.1)', async () => {
  const { server, services, lines } = await withMailServer();
  server.refusal = { code: 451, text: 'try later' };
  await enqueue(db, 'sendMail', mailTo('nia@example.com'));
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await runJobs(services);
    const [job] = await queuedJobs(db, 'sendMail');
    expect(job).toMatchObject({ attempts: attempt, maxAttempts: 25 });
    waits.push(job?.dueIn ?? 0);
    await makeJobsDue(db);
  }
  expect(waits.every((wait, n) => wait > 1.5 * (waits[n - 1] ?? 0))).toBe(true);
  expect(lines.filter(({ msg }) => msg === 'a job failed and will be tried again').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  server.refusal = undefined;
  await runJobs(services);
  expect(server.received.map(({ to }) => to)).toEqual([['nia@example.com']]);
  expect(await queuedJobs(db, 'sendMail')).toEqual([]);
  await server.close();
});

test('a mail that is sent again since nobody knows whether it was taken is the same message; another mail is not', async () => {
  const { server, services } = await withMailServer();
  server.losesAnswers = true;
  await enqueue(db, 'sendMail', mailTo('twice@example.com'));
  await runJobs(services);
  server.losesAnswers = false;
  await makeJobsDue(db);
  await enqueue(db, 'sendMail', mailTo('twice@example.com'));
  await runJobs(services);
  const [first, ...later] = server.received.map(({ mail }) => mail.messageId);
  expect(first).toMatch(/^<[\da-f-]{36}@example\.com>$/);
  expect(later.filter((id) => id === first)).toHaveLength(1);
  expect(later).toHaveLength(2);
  await server.close();
});

test('a mail that cannot be sent at all ends as a dead letter: in the queue, and in the log without the address', async () => {
  const { server, services, lines, text } = await withMailServer();
  server.refusal = { code: 550, text: '<nobody@example.com> does not live here' };
  await enqueue(db, 'sendMail', mailTo('nobody@example.com'), { maxAttempts: 2 });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await runJobs(services);
    await makeJobsDue(db);
  }
  const dead = await queuedJobs(db, 'sendMail');
  expect(dead).toMatchObject([{ attempts: 2, maxAttempts: 2 }]);
  const complaint = lines.find(({ msg }) => msg === 'a job failed for good');
  expect(complaint).toMatchObject({ level: 50, task: 'sendMail', attempt: 2, reason: expect.stringContaining('550') });
  expect(complaint?.reason).toContain('does not live here');
  expect(lines.filter(({ msg }) => msg === 'error report')).toMatchObject([{ place: 'job sendMail', err: { stack: expect.anything() } }]);
  expect(text()).not.toContain('nobody@example.com');
  expect(server.received).toEqual([]);
  await server.close();
});

test('a job with the key of one that waits replaces it', async () => {
  const runAt = new Date(Date.now() + 60_000).toISOString();
  await enqueue(db, 'sendMail', mailTo('first@example.com'), { key: 'one', runAt });
  await enqueue(db, 'sendMail', mailTo('second@example.com'), { key: 'one' });
  const { server, services } = await withMailServer();
  await runJobs(services);
  expect(server.received.map(({ to }) => to)).toEqual([['second@example.com']]);
  await server.close();
});

test('two processes share the queue: each mail is sent once', async () => {
  const { server, services } = await withMailServer();
  const addresses = Array.from({ length: 40 }, (_, n) => `shared-${n}@example.com`);
  const runners = [await startJobs(services), await startJobs(services)];
  await Promise.all(addresses.map((to) => enqueue(db, 'sendMail', mailTo(to))));
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
  await Promise.all(runners.map((runner) => runner.stop()));
  await server.close();
});

test('a mail that a killed process had taken is given back and sent; a living one keeps its job', async () => {
  const { server, services, lines } = await withMailServer();
  const take = (worker: string) =>
    sql`update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = now() - interval '6 seconds', attempts = 1`.execute(db);
  await enqueue(db, 'sendMail', mailTo('taken@example.com'));
  await take('pool-alive');
  const alive = await shop.services.pool.connect();
  await alive.query("select pg_advisory_lock(7267, hashtext('pool-alive'))");
  expect(await releaseDeadWorkers(db)).toBe(0);
  await runJobs(services);
  expect(server.received).toEqual([]);
  // The end of its connection is the end of its lock.
  alive.release(true);
  const runner = await startJobs(services);
  await eventually(() => expect(server.received.map(({ to }) => to)).toEqual([['taken@example.com']]));
  expect(lines.find(({ msg }) => msg === 'jobs of a dead process were given back')).toMatchObject({ jobs: 1 });
  await runner.stop();
  await server.close();
});

test('a process keeps the job it is busy with, and its lock ends when it stops', async () => {
  const locks = async () => {
    // Those of this database: the server has others, whose tests have queues as well.
    const found = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and classid = 7267`.execute(db);
    return found.rows[0]?.n;
  };
  const gate = new AbortController();
  const held = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
  const server = await startMailServer({ onMailFrom: (_address, _session, done) => void held.then(() => done()) });
  const services = { ...shop.services, mailer: mailer({ ...shop.services.config, smtpUrl: server.url }, shop.services.log) };
  const runner = await startJobs(services);
  await eventually(async () => expect(await locks()).toBe(1));
  await enqueue(db, 'sendMail', mailTo('slow@example.com'));
  await eventually(async () => {
    const taken =
      await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_by is not null`.execute(db);
    expect(taken.numAffectedRows).toBe(1n);
  });
  expect(await releaseDeadWorkers(db)).toBe(0);
  gate.abort();
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received).toHaveLength(1);
  await runner.stop();
  await eventually(async () => expect(await locks()).toBe(0));
  await server.close();
});

test('sessions, codes, known devices and limits that are over are cleared away; the others stay', async () => {
  const [gone, kept] = [await aCustomer(db), await aCustomer(db)];
  const past = new Date(Date.now() - 1_000).toISOString();
  const future = new Date(Date.now() + 60_000).toISOString();
  await db.updateTable('sessions').set({ expiresAt: past }).where('userId', '=', gone._id).execute();
  const code = { codeHash: Buffer.alloc(32), askerHash: Buffer.alloc(32), triesLeft: 5, othersTriesLeft: 5 };
  await db
    .insertInto('passwordResets')
    .values([
      { userId: gone._id, ...code, expiresAt: past },
      { userId: kept._id, ...code, expiresAt: future },
    ])
    .execute();
  await db
    .insertInto('rateLimits')
    .values([
      { key: 'gone', tries: 1, resetsAt: past },
      { key: 'kept', tries: 1, resetsAt: future },
    ])
    .execute();
  const longAgo = new Date(Date.now() - 181 * 24 * 60 * 60 * 1000).toISOString();
  await db
    .insertInto('knownDevices')
    .values([
      { userId: gone._id, deviceHash: Buffer.alloc(32), usedAt: longAgo },
      { userId: kept._id, deviceHash: Buffer.alloc(32) },
    ])
    .execute();
  await enqueue(db, 'removeExpired', {});
  await runJobs(shop.services);
  const owners = async (table: 'sessions' | 'passwordResets' | 'knownDevices') =>
    (await db.selectFrom(table).select('userId').where('userId', 'in', [gone._id, kept._id]).execute()).map(({ userId }) => userId);
  for (const table of ['sessions', 'passwordResets', 'knownDevices'] as const) expect(await owners(table)).toEqual([kept._id]);
  expect(await db.selectFrom('rateLimits').select('key').where('key', 'in', ['gone', 'kept']).execute()).toEqual([{ key: 'kept' }]);
});
