import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { mailer } from '#server/gateways/mail.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { enqueue } from './queue.ts';
import { startJobs } from './runner.ts';

const shop = await testShop();

async function eventually(check: () => void | Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await check();
    } catch (error) {
      if (tries > 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('when the database goes away in the middle of a mail, the queue goes on by itself once it is back', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'shop-outage-'));
  const settings = { fsync: 'off' };
  let postgres = await startEmbedded(dir, { settings });
  const database = connect(postgres.url, { max: 8 });
  await migrate(database);
  const gate = new AbortController();
  const opened = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
  let asked = 0;
  const server = await startMailServer({
    onMailFrom(_address, _session, done) {
      asked += 1;
      void opened.then(() => done());
    },
  });
  const { log } = readableLog();
  const services = {
    ...shop.services,
    ...database,
    readDb: database.db,
    log,
    mailer: mailer({ ...shop.services.config, smtpUrl: server.url }, log),
  };
  const jobs = await startJobs(services);
  const mail = { subject: 'A word', text: 'Hello', html: '<p>Hello</p>' };
  await enqueue(database.db, 'sendMail', { ...mail, to: 'before@example.com' });
  await eventually(() => expect(asked).toBe(1));

  await postgres.stop();
  gate.abort();
  await eventually(() => expect(server.received).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  postgres = await startEmbedded(dir, { settings });
  await enqueue(database.db, 'sendMail', { ...mail, to: 'after@example.com' });
  await eventually(() => expect(server.received.map(({ to }) => to[0])).toContain('after@example.com'));
  await eventually(async () => expect(await queuedJobs(database.db, 'sendMail')).toEqual([]));
  await jobs.stop();
  await database.close();
  await postgres.stop();
  await server.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);
