import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startJobs } from '#server/app/jobs.ts';
import { mailer } from '#server/gateways/mail.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { paymentJobs } from '#server/payments/payments.jobs.ts';
import { eventually } from '#server/testing/eventually.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { enqueue } from './queue.ts';

// A provider that hangs for longer than a test takes.
const { db, services, wire, dataDir } = await testShop({ providerTimeoutMs: 60_000 });

test('while the provider hangs, jobs that ask it keep no mail waiting: one of them runs at a time (§15.1)', async () => {
  wire.isSilent = true;
  for (let n = 0; n < 10; n += 1) await enqueue(db, paymentJobs.reconcilePayments, {});
  const jobs = await startJobs(services);
  await eventually(() => expect(wire.asked.length).toBeGreaterThan(0));
  await enqueue(db, mailJobs.sendMail, { to: 'waiting@example.com', subject: 'Your code', text: 'x', html: 'x' });
  await eventually(async () => expect(await mailsOf(dataDir, 'waiting@example.com')).toHaveLength(1));
  // The mail is written a moment before its job ends.
  await eventually(async () => expect(await db.selectFrom('jobs').select('id').where('takenBy', 'is not', null).execute()).toHaveLength(1));
  wire.isSilent = false;
  wire.hangUp();
  await eventually(async () => expect(await queuedJobs(db, 'reconcilePayments')).toEqual([]));
  await jobs.stop();
});

test('a job that failed after it was replaced by a newer one leaves no dead letter behind', async () => {
  wire.isSilent = true;
  const jobs = await startJobs(services);
  const asked = wire.asked.length;
  await enqueue(db, paymentJobs.reconcilePayments, {}, { key: 'reconcile' });
  await eventually(() => expect(wire.asked.length).toBeGreaterThan(asked));
  await enqueue(db, paymentJobs.reconcilePayments, {}, { key: 'reconcile' });
  // The first was taken when the newer one came. Its question is never answered, those of the newer one are.
  wire.isSilent = false;
  expect(await queuedJobs(db, 'reconcilePayments')).toHaveLength(2);
  wire.hangUp();
  await eventually(async () => expect(await queuedJobs(db, 'reconcilePayments')).toEqual([]));
  await jobs.stop();
});

test('the jobs of a lane are done right after each other', async () => {
  for (let n = 0; n < 200; n += 1) await enqueue(db, orderJobs.expireHold, { orderId: randomUUID() });
  const jobs = await startJobs(services);
  const start = Date.now();
  await eventually(async () => expect(await queuedJobs(db, 'expireHold')).toEqual([]));
  // One each time that a process looks by itself would take a thousand seconds.
  expect(Date.now() - start).toBeLessThan(12_000);
  await jobs.stop();
});

test('while the mail server takes connections and says nothing, other jobs go on beside the mails that wait for it (§15.1)', {
  tags: ['thorough'],
}, async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  let connections = 0;
  silent.on('connection', () => {
    connections += 1;
  });
  const hanging = mailer({ ...services.config, smtpUrl: `smtp://127.0.0.1:${port}` }, services.log);
  const jobs = await startJobs({ ...services, mailer: hanging });
  for (let n = 0; n < 10; n += 1)
    await enqueue(db, mailJobs.sendMail, { to: `n${n}@example.com`, subject: 'Dispatched', text: 'x', html: 'x' });
  await eventually(() => expect(connections).toBe(2));
  const start = Date.now();
  for (let n = 0; n < 20; n += 1) await enqueue(db, orderJobs.expireHold, { orderId: randomUUID() });
  await eventually(async () => expect(await queuedJobs(db, 'expireHold')).toEqual([]));
  // The mails would have held them up for the ten seconds of a greeting, several times.
  expect(Date.now() - start).toBeLessThan(8_000);
  expect([connections, (await queuedJobs(db, 'sendMail')).length]).toEqual([2, 10]);
  silent.close();
  hanging.close();
  await jobs.stop();
});
