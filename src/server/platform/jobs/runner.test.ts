import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { JOBS, runJobs, startJobs } from '#server/app/jobs.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { mailer } from '#server/gateways/mail.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { adoptGraphileJobs } from './graphile-jobs.ts';
import { declareJobs, enqueue, job } from './queue.ts';
import { LOCK_CLASS, startRunner } from './runner.ts';

const shop = await testShop();
const { db } = shop;
const mailTo = (to: string) => ({ to, subject: 'A word from the shop', text: 'Hello', html: '<p>Hello</p>' });

beforeEach(() => db.deleteFrom('jobs').execute());

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
      await enqueue(tx, mailJobs.sendMail, mailTo('never@example.com'));
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await queuedJobs(db, 'sendMail')).toEqual([]);
});

test('a mail that fails is tried again, later each time, and sent once the server is back (§15.1)', async () => {
  const { server, services, lines } = await withMailServer();
  server.refusal = { code: 451, text: 'try later' };
  await enqueue(db, mailJobs.sendMail, mailTo('nia@example.com'));
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
  await enqueue(db, mailJobs.sendMail, mailTo('twice@example.com'));
  await runJobs(services);
  server.losesAnswers = false;
  await makeJobsDue(db);
  await enqueue(db, mailJobs.sendMail, mailTo('twice@example.com'));
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
  await enqueue(db, mailJobs.sendMail, mailTo('nobody@example.com'), { maxAttempts: 2 });
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

test('a failure in words that PostgreSQL cannot store is stored without them, so that other jobs go on', async () => {
  await enqueue(db, mailJobs.sendMail, mailTo('zero@example.com'));
  const mailer = { ...shop.services.mailer, send: () => Promise.reject(new Error('the relay said \0 no')) };
  await runJobs({ ...shop.services, mailer });
  expect(await queuedJobs(db, 'sendMail')).toMatchObject([{ attempts: 1 }]);
  const { lastError } = await db.selectFrom('jobs').select('lastError').where('name', '=', 'sendMail').executeTakeFirstOrThrow();
  expect(lastError).toContain('the relay said  no');
  await db.deleteFrom('jobs').execute();
});

test('a job with the key of one that waits replaces it', async () => {
  const runAt = new Date(Date.now() + 60_000).toISOString();
  await enqueue(db, mailJobs.sendMail, mailTo('first@example.com'), { key: 'one', runAt });
  await enqueue(db, mailJobs.sendMail, mailTo('second@example.com'), { key: 'one' });
  const { server, services } = await withMailServer();
  await runJobs(services);
  expect(server.received.map(({ to }) => to)).toEqual([['second@example.com']]);
  await server.close();
});

test('two processes share the queue: each mail is sent once', async () => {
  const { server, services } = await withMailServer();
  const addresses = Array.from({ length: 40 }, (_, n) => `shared-${n}@example.com`);
  const runners = [await startJobs(services), await startJobs(services)];
  await Promise.all(addresses.map((to) => enqueue(db, mailJobs.sendMail, mailTo(to))));
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
  await Promise.all(runners.map((runner) => runner.stop()));
  await server.close();
});

/** A process as the others see it: a connection that holds the lock of its number. */
async function aProcess(holder: number) {
  const connection = await shop.services.pool.connect();
  await connection.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_CLASS, holder]);
  return { kill: () => connection.release(true) };
}

/** Queues jobs that the process is doing. */
async function takenBy(holder: number, ...keys: string[]) {
  for (const key of keys) await enqueue(db, mailJobs.sendMail, mailTo(`${key}@example.com`), { key });
  await db.updateTable('jobs').set({ takenBy: holder, attempts: 1 }).where('key', 'in', keys).execute();
}

test('a mail that a killed process had taken is given back and sent; a living one keeps its job', async () => {
  const { server, services, lines } = await withMailServer();
  const [living, killed] = [await aProcess(1), await aProcess(2)];
  await takenBy(1, 'living');
  await takenBy(2, 'killed');
  killed.kill();
  const runner = await startJobs(services);
  await eventually(() => expect(server.received.map(({ to }) => to)).toEqual([['killed@example.com']]));
  expect(lines.find(({ msg }) => msg === 'jobs that no process works on were given back')).toMatchObject({ jobs: 1 });
  living.kill();
  await eventually(() => expect(server.received).toHaveLength(2));
  await runner.stop();
  await server.close();
});

test('of two jobs of one key that died, one after the other, only the newer is done', async () => {
  const { server, services } = await withMailServer();
  await takenBy(1, 'one');
  await takenBy(2, 'one');
  const runner = await startJobs(services);
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received).toHaveLength(1);
  await runner.stop();
  await server.close();
});

test('a process that is killed in the middle of a job leaves its lane to the others', async () => {
  await enqueue(db, catalogueJobs.makeWidths, { id: 'nothing' });
  await db.updateTable('jobs').set({ takenBy: 1 }).execute();
  await enqueue(db, catalogueJobs.makeWidths, { id: 'nothing' });
  await runJobs(shop.services);
  expect(await queuedJobs(db, 'makeWidths')).toHaveLength(2);
  const runner = await startJobs(shop.services);
  await eventually(async () => expect(await queuedJobs(db, 'makeWidths')).toEqual([]));
  await runner.stop();
});

test('a process finishes the job it is busy with when it stops, and its lock ends', async () => {
  const locks = async () => {
    // Those of this database: the server has others, whose tests have queues as well.
    const found = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and classid = ${LOCK_CLASS}`.execute(db);
    return found.rows[0]?.n;
  };
  const gate = new AbortController();
  const held = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
  const server = await startMailServer({ onMailFrom: (_address, _session, done) => void held.then(() => done()) });
  const services = { ...shop.services, mailer: mailer({ ...shop.services.config, smtpUrl: server.url }, shop.services.log) };
  onTestFinished(() => gate.abort());
  const runner = await startJobs(services);
  // The lock of the runner before may end a moment after it has stopped.
  await eventually(async () => expect(await locks()).toBe(1));
  await enqueue(db, mailJobs.sendMail, mailTo('slow@example.com'));
  await eventually(async () => expect(await db.selectFrom('jobs').select('id').where('takenBy', 'is not', null).execute()).toHaveLength(1));
  const stopped = runner.stop();
  gate.abort();
  await stopped;
  expect(await queuedJobs(db, 'sendMail')).toEqual([]);
  expect(server.received).toHaveLength(1);
  await eventually(async () => expect(await locks()).toBe(0));
  await server.close();
});

test('of two processes, one queues what runs by the clock, once a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date('2040-01-01T03:16:58Z') });
  onTestFinished(() => void vi.useRealTimers());
  const runners = [await startJobs(shop.services), await startJobs(shop.services)];
  vi.advanceTimersByTime(5_000);
  const queued = () =>
    db.selectFrom('jobSchedule').select(['name', 'queuedAt']).where('queuedAt', '=', '2040-01-01T03:17:00.000Z').orderBy('name').execute();
  const each = ['deriveAttributes', 'reconcilePayments', 'removeExpired', 'sendStaffNotices', 'sumSales', 'tellOfReturns'];
  await eventually(async () => expect((await queued()).map(({ name }) => name)).toEqual(each));
  await Promise.all(runners.map((runner) => runner.stop()));
});

test('a daily job whose time falls into an outage runs once afterwards; one that is new waits for its time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const ran: string[] = [];
  const jobs = declareJobs({ daily: job({ label: 'Daily', at: { hour: 3, minute: 17 } }), always: job({ label: 'Always', at: {} }) });
  const tasks = { daily: async () => ran.push('daily'), always: async () => ran.push('always') };
  const runsAt = async (clock: string): Promise<string[]> => {
    ran.length = 0;
    vi.setSystemTime(new Date(clock));
    const runner = await startRunner(shop.services, { jobs, tasks, onFailed: async () => undefined });
    vi.advanceTimersByTime(5_000);
    await eventually(() => expect(ran).toContain('always'));
    await eventually(async () => expect(await db.selectFrom('jobs').select('id').execute()).toEqual([]));
    await runner.stop();
    return ran.sort();
  };
  expect(await runsAt('2040-02-01T09:30:58Z')).toEqual(['always']);
  expect(await runsAt('2040-02-02T03:16:58Z')).toEqual(['always', 'daily']);
  // Away for two days, until half past nine.
  expect(await runsAt('2040-02-04T09:30:58Z')).toEqual(['always', 'daily']);
  expect(await runsAt('2040-02-04T09:31:58Z')).toEqual(['always']);
  expect(await runsAt('2040-02-05T03:16:58Z')).toEqual(['always', 'daily']);
  // Another process, whose clock is twelve minutes behind.
  expect(await runsAt('2040-02-05T03:04:58Z')).toEqual(['always']);
});

test('what runs by the clock goes on after the clock of a process was weeks ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date('2041-03-10T10:00:58Z') });
  onTestFinished(() => void vi.useRealTimers());
  const lastQueued = async () =>
    (await db.selectFrom('jobSchedule').select('queuedAt').where('name', '=', 'reconcilePayments').executeTakeFirst())?.queuedAt;
  for (const [clock, minute] of [
    ['2041-03-10T10:00:58Z', '2041-03-10T10:01:00.000Z'],
    ['2041-02-01T10:00:58Z', '2041-02-01T10:01:00.000Z'],
  ] as const) {
    vi.setSystemTime(new Date(clock));
    const runner = await startJobs(shop.services);
    vi.advanceTimersByTime(5_000);
    await eventually(async () => expect(await lastQueued()).toBe(minute));
    await runner.stop();
  }
});

test('what was queued or has failed while the clock was ahead waits no longer than it would have', async () => {
  const { server, services } = await withMailServer();
  for (const to of ['failed', 'moved', 'new', 'later', 'pressed']) await enqueue(db, mailJobs.sendMail, mailTo(`${to}@example.com`));
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  await enqueue(db, mailJobs.sendMail, mailTo('right@example.com'), { runAt: soon });
  const isTo = (to: string) => sql`payload ->> 'to' = ${`${to}@example.com`}`;
  const ahead = sql`now() + interval '40 days'`;
  await sql`update jobs set attempts = 9, last_error = 'certificate has expired', run_at = ${ahead} + interval '2 hours' where ${isTo('failed')}`.execute(
    db,
  );
  await sql`update jobs set attempts = 1, created_at = ${ahead}, run_at = ${ahead} + interval '3 seconds' where ${isTo('moved')}`.execute(
    db,
  );
  await sql`update jobs set created_at = ${ahead}, run_at = ${ahead} where ${isTo('new')}`.execute(db);
  await sql`update jobs set created_at = ${ahead}, run_at = ${ahead} + interval '33 minutes' where ${isTo('later')}`.execute(db);
  // A job that failed for good and was made due again: its key is known to the mail server.
  await sql`update jobs set created_at = ${ahead}, run_at = ${ahead} + interval '8 minutes', last_error = 'no answer' where ${isTo('pressed')}`.execute(
    db,
  );
  // A new minute comes two seconds after the start.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date('2042-01-01T03:16:58Z') });
  onTestFinished(() => void vi.useRealTimers());
  const runner = await startJobs(services);
  vi.advanceTimersByTime(5_000);
  const received = () => server.received.map(({ to }) => to[0]).sort();
  await eventually(async () => expect(received()).toEqual(['failed', 'moved', 'new'].map((to) => `${to}@example.com`)));
  await runner.stop();
  const waits = (await queuedJobs(db, 'sendMail')).map(({ dueIn }) => Math.round(dueIn / 60));
  expect(waits.sort()).toEqual([1440, 33, 8]);
  const { rows } = await sql`select payload ->> 'to' as to from jobs where created_at > now() + interval '39 days'`.execute(db);
  expect(rows).toEqual([{ to: 'pressed@example.com' }]);
  await server.close();
});

test('jobs that a version before has left in the tables of graphile-worker are taken over once it has ended', async () => {
  await sql`create schema graphile_worker`.execute(db);
  onTestFinished(async () => void (await sql`drop schema graphile_worker cascade`.execute(db)));
  await sql`create table graphile_worker._private_tasks (id int primary key, identifier text)`.execute(db);
  await sql`create table graphile_worker._private_jobs (id bigint primary key, task_id int, payload json, run_at timestamptz default now(),
    max_attempts int default 25, key text, attempts int default 0, last_error text, created_at timestamptz default now())`.execute(db);
  await sql`insert into graphile_worker._private_tasks values (1, 'sendMail')`.execute(db);
  const old = await shop.services.pool.connect();
  await old.query('select pg_advisory_lock(7267, 1)');
  // Text that PostgreSQL cannot read as text, as it was queued once.
  const payload = '{"to":"old@example.com","subject":"Hello X\\ud83d","text":"\\u0000","html":""}';
  await sql`insert into graphile_worker._private_jobs (id, task_id, payload) values (1, 1, ${payload}::json)`.execute(db);
  await sql`insert into graphile_worker._private_jobs (id, task_id, payload, run_at, key, attempts, max_attempts, last_error)
    values (2, 1, '{}', '2040-01-01', 'later', 2, 3, 'it was busy')`.execute(db);
  expect(await adoptGraphileJobs(shop.services, JOBS)).toBe(0);
  old.release(true);
  await eventually(async () => expect(await adoptGraphileJobs(shop.services, JOBS)).toBe(2));
  expect(await adoptGraphileJobs(shop.services, JOBS)).toBe(0);
  const { server, services } = await withMailServer();
  await runJobs(services);
  expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Hello X\ufffd']);
  expect(await db.selectFrom('jobs').select(['name', 'runAt', 'key', 'attempts', 'maxAttempts', 'lastError']).execute()).toEqual([
    { name: 'sendMail', runAt: '2040-01-01T00:00:00.000Z', key: 'later', attempts: 2, maxAttempts: 3, lastError: 'it was busy' },
  ]);
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
  await enqueue(db, JOBS.removeExpired, {});
  await runJobs(shop.services);
  const owners = async (table: 'sessions' | 'passwordResets' | 'knownDevices') =>
    (await db.selectFrom(table).select('userId').where('userId', 'in', [gone._id, kept._id]).execute()).map(({ userId }) => userId);
  for (const table of ['sessions', 'passwordResets', 'knownDevices'] as const) expect(await owners(table)).toEqual([kept._id]);
  expect(await db.selectFrom('rateLimits').select('key').where('key', 'in', ['gone', 'kept']).execute()).toEqual([{ key: 'kept' }]);
});
