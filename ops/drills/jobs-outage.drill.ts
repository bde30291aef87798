import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startJobs } from '#server/app/jobs.ts';
import { openServices } from '#server/app/open-services.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { type EmbeddedPostgres, startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';

const shop = await testShop();
const settings = { fsync: 'off' };
const mailTo = (to: string) => ({ to, subject: 'A word', text: 'Hello', html: '<p>Hello</p>' });

/** A queue at work on a PostgreSQL of its own, which the test may take away, with a mail server that answers once it is allowed to. */
async function aQueueOfItsOwn() {
  const dir = aFolder('outage');
  let postgres: EmbeddedPostgres = await startEmbedded(dir, { settings });
  const gate = new AbortController();
  const opened = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
  let asked = 0;
  const server = await startMailServer({
    onMailFrom(_address, _session, done) {
      asked += 1;
      void opened.then(() => done());
    },
  });
  const { log, lines } = readableLog();
  const services = await openServices({ ...shop.services.config, databaseUrl: postgres.url, smtpUrl: server.url }, { log });
  await migrate(services);
  const jobs = await startJobs(services);
  onTestFinished(async () => {
    await jobs.stop();
    await services.close();
    await postgres.stop();
    await server.close();
  });
  return {
    db: services.db,
    server,
    lines,
    asked: () => asked,
    letMailsPass: () => gate.abort(),
    takeAway: () => postgres.stop(),
    bringBack: async () => {
      postgres = await startEmbedded(dir, { settings });
    },
  };
}

test('when the database goes away in the middle of a mail, nothing ends, the mail is sent once, and the queue goes on by itself', async () => {
  const { db, server, lines, asked, letMailsPass, takeAway, bringBack } = await aQueueOfItsOwn();
  await enqueue(db, mailJobs.sendMail, mailTo('before@example.com'));
  await eventually(() => expect(asked()).toBe(1));

  await takeAway();
  letMailsPass();
  await eventually(() => expect(server.received).toHaveLength(1));
  // Long enough for the queue to have noticed on each of its connections.
  await eventually(() => expect(lines.filter(({ msg }) => msg === 'the job queue could not be looked after').length).toBeGreaterThan(0));
  await bringBack();

  await enqueue(db, mailJobs.sendMail, mailTo('after@example.com'));
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received.flatMap(({ to }) => to)).toEqual(['before@example.com', 'after@example.com']);
});

test('a job that the database handed over just as it went away, so that nobody works on it, is given back and done', async () => {
  const { db, server, asked, letMailsPass } = await aQueueOfItsOwn();
  await enqueue(db, mailJobs.sendMail, mailTo('busy@example.com'));
  await eventually(() => expect(asked()).toBe(1));
  // The same process is on record with another job, of which it never heard.
  await db.transaction().execute(async (tx) => {
    await enqueue(tx, mailJobs.sendMail, mailTo('lost@example.com'));
    await sql`update jobs set taken_by = (select max(taken_by) from jobs) where taken_by is null`.execute(tx);
  });
  await eventually(() => expect(asked()).toBe(2));
  letMailsPass();
  await eventually(async () => expect(await queuedJobs(db, 'sendMail')).toEqual([]));
  expect(server.received.flatMap(({ to }) => to).sort()).toEqual(['busy@example.com', 'lost@example.com']);
});
