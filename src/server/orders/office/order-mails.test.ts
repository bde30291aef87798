import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { OrderMail, OrderMails } from '#contract/orders/order-mails.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { eraseCustomer } from '#server/accounts/privacy.service.ts';
import { runJobs } from '#server/app/jobs.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { demote, whileWaiting } from '#server/testing/while-waiting.ts';
import { keepOrderMail, removeOldMails } from './order-mails.service.ts';

const { app, db, services, dataDir } = await testShop();
const admin = await anAdmin(db, { name: 'Ada Admin' });
const send = (who: SignedIn, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const mailsAbout = async (id: string) => (await send(admin, 'GET', `/api/office/orders/${id}/mails`)).json<OrderMails>().mails;

/** An order whose confirmation was sent. */
async function anOrder() {
  const buyer = await aCustomer(db);
  const { _id } = (await send(buyer, 'POST', '/api/orders', aPayload([aLine(await aProduct(db))]))).json<Order>();
  await runJobs(services);
  return { _id, buyer };
}

test('staff read an email about an order as it was sent, and send it again to where the customer’s emails go now (§20.17)', async () => {
  const { _id, buyer } = await anOrder();
  const [confirmation, ...others] = await mailsAbout(_id);
  expect([confirmation?.to, others]).toEqual([buyer.email, []]);
  const { json } = await send(admin, 'GET', `/api/office/mails/${confirmation?._id}`);
  const [sent] = await mailsOf(dataDir, buyer.email);
  const read = json<OrderMail>();
  expect([read.subject, read.text.trim(), read.html.includes(_id)]).toEqual([sent?.subject, sent?.text?.trim(), true]);

  const again = () => send(admin, 'POST', `/api/office/mails/${confirmation?._id}/send`);
  expect((await again()).json()).toEqual({ message: 'This email was sent a moment ago. Wait a minute before you send it again.' });
  await sql`update order_mails set sent_at = now() - interval '2 minutes'`.execute(db);
  await db.updateTable('users').set({ email: 'moved@example.com' }).where('id', '=', buyer._id).execute();
  const both = await Promise.all([again(), again()]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  await runJobs(services);
  const [repeat, first] = await mailsAbout(_id);
  expect([repeat?.to, repeat?.subject, first?._id]).toEqual(['moved@example.com', sent?.subject, confirmation?._id]);
  expect((await mailsOf(dataDir, 'moved@example.com')).map(({ text }) => text?.trim())).toEqual([sent?.text?.trim()]);
  const { events } = (await send(admin, 'GET', `/api/orders/${_id}`)).json<Order>();
  expect(events?.at(-1)).toMatchObject({ kind: 'email sent again', actor: 'Ada Admin', detail: sent?.subject });
  expect((await again()).statusCode).toBe(409);
  // Sent while the clock was ahead.
  await sql`update order_mails set sent_at = now() + interval '40 days'`.execute(db);
  expect((await again()).statusCode).toBe(200);
});

test('an email with what the buyer typed is not sent again to another address that nobody confirmed, also once the account is deleted (§20.17)', async () => {
  const { _id, buyer } = await anOrder();
  const [full] = await mailsAbout(_id);
  const setUser = (values: object) => db.updateTable('users').set(values).where('id', '=', buyer._id).execute();
  await setUser({ email: `typo-${buyer.email}`, isEmailConfirmed: false });
  await sql`update order_mails set sent_at = now() - interval '2 minutes'`.execute(db);
  const again = async (mail = full) => (await send(admin, 'POST', `/api/office/mails/${mail?._id}/send`)).json().message;
  expect(await again()).toMatch(/nobody has confirmed that one. It may be a stranger’s/);
  // One that was written for an unconfirmed address has nothing typed.
  await send(admin, 'PUT', `/api/orders/${_id}/deliver`, { isDelivered: true });
  await runJobs(services);
  const [bare] = await mailsAbout(_id);
  await sql`update order_mails set sent_at = now() - interval '2 minutes'`.execute(db);
  await setUser({ email: `right-${buyer.email}` });
  expect(await again(bare)).toBe(`We are sending it to right-${buyer.email}.`);
  await setUser({ email: buyer.email, isEmailConfirmed: true });
  await db
    .updateTable('orders')
    .set({ userEmail: `typo-${buyer.email}` })
    .where('id', '=', _id)
    .execute();
  await send(admin, 'DELETE', `/api/users/${buyer._id}`);
  expect(await again()).toBe(`We are sending it to ${buyer.email}.`);
});

test('a deleted account’s emails go on as before to the address that it had confirmed last, with what the buyer typed (§20.17)', async () => {
  const deleted = async () => {
    const { _id, buyer } = await anOrder();
    const last = `last-${buyer.email}`;
    await db.updateTable('users').set({ email: last }).where('id', '=', buyer._id).execute();
    await send(admin, 'DELETE', `/api/users/${buyer._id}`);
    await sql`update order_mails set sent_at = now() - interval '2 minutes'`.execute(db);
    const [full] = await mailsAbout(_id);
    const again = () => send(admin, 'POST', `/api/office/mails/${full?._id}/send`);
    return { _id, last, again };
  };
  const sure = await deleted();
  expect((await sure.again()).json()).toEqual({ message: `We are sending it to ${sure.last}.` });
  await send(admin, 'PUT', `/api/orders/${sure._id}/deliver`, { isDelivered: true });
  await runJobs(services);
  expect((await mailsOf(dataDir, sure.last)).at(-1)?.text).toContain('Hello Customer');
  // Earlier versions count every account that they deleted as confirmed.
  const early = await deleted();
  await db.updateTable('orders').set({ wasEmailConfirmed: false }).where('id', '=', early._id).execute();
  expect((await early.again()).statusCode).toBe(409);
});

test('an email that is unknown, and a customer or a demoted administrator who asks for one, are refused', async () => {
  const { _id, buyer } = await anOrder();
  const id = (await mailsAbout(_id))[0]?._id;
  const calls = [
    ['GET', `/api/office/orders/${_id}/mails`],
    ['GET', `/api/office/mails/${id}`],
    ['POST', `/api/office/mails/${id}/send`],
  ] as const;
  for (const [method, url] of calls) {
    expect((await send(buyer, method, url)).statusCode).toBe(403);
    for (const unknown of [newId(), 'nonsense'])
      expect((await send(admin, method, url.replace(id ?? '', unknown).replace(_id, unknown))).statusCode).toBe(404);
  }
  const demoted = await anAdmin(db);
  const late = await whileWaiting(db, demoted, () => send(demoted, 'POST', `/api/office/mails/${id}/send`), demote(demoted));
  expect(late.statusCode).toBe(403);
});

test('emails about an order go after their days, and with the customer, also one that was under way while they were erased', async () => {
  const [{ _id: old }, { _id, buyer }] = [await anOrder(), await anOrder()];
  await sql`update order_mails set sent_at = now() - interval '91 days' where order_id = ${old}`.execute(db);
  await removeOldMails(db, 90);
  expect([await mailsAbout(old), (await mailsAbout(_id)).length]).toEqual([[], 1]);
  await eraseCustomer(db, buyer.email, true);
  await keepOrderMail(db, _id, { to: buyer.email, subject: 'Dispatched', text: 'Hello', html: '' });
  expect(await mailsAbout(_id)).toEqual([]);
});

test('an invoice or credit note goes with the next mail after it was issued, to a confirmed address alone, and again with it (§22.7)', async () => {
  const [sure, unsure] = [await aCustomer(db, { name: 'Nia Oak' }), await aCustomer(db)];
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', unsure._id).execute();
  const place = async (buyer: SignedIn) =>
    (await send(buyer, 'POST', '/api/orders', aPayload([aLine(await aProduct(db), { qty: 2 })]))).json<Order>();
  const orders = [await place(sure), await place(unsure)];
  const attached = async (email: string) => {
    await runJobs(services);
    return (await mailsOf(dataDir, email)).map(({ attachments }) => attachments.map(({ filename }) => filename));
  };
  const stage = (id: string, to: string) => send(admin, 'PUT', `/api/orders/${id}/stage`, { stage: to });
  expect(await attached(sure.email)).toEqual([[]]);
  // Cash before the goods has no mail of its own.
  for (const { _id } of orders) await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  expect(await attached(sure.email)).toEqual([[]]);
  for (const { _id } of orders) await stage(_id, 'dispatched');
  const id = orders[0]?._id ?? '';
  const [invoice] = (await send(admin, 'GET', `/api/orders/${id}`)).json<Order>().invoices;
  expect(await attached(sure.email)).toEqual([[], [`${invoice?.number}.pdf`]]);
  expect(await attached(unsure.email)).toEqual([[], []]);
  const [, mail] = await mailsOf(dataDir, sure.email);
  const content = Buffer.from(mail?.attachments[0]?.content as ArrayBuffer);
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  expect(content.equals((await send(sure, 'GET', `/api/invoices/${invoice?._id}/pdf`)).rawPayload)).toBe(true);
  await stage(id, 'packing');
  await send(admin, 'POST', `/api/office/orders/${id}/cancel`, { pieces: [{ line: 0, qty: 1 }], reason: 'Not in stock' });
  await attached(sure.email);
  const [refund] = (await send(admin, 'GET', `/api/orders/${id}`)).json<Order>().refunds;
  await send(admin, 'POST', `/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'transfer' });
  const note = (await send(admin, 'GET', `/api/orders/${id}`)).json<Order>().invoices.find(({ kind }) => kind === 'credit_note');
  expect((await attached(sure.email)).slice(2)).toEqual([[], [`${note?.number}.pdf`]]);
  const dispatched = (await mailsAbout(id)).at(-2);
  expect((await send(admin, 'GET', `/api/office/mails/${dispatched?._id}`)).json<OrderMail>().documents).toEqual([
    { _id: invoice?._id, number: invoice?.number },
  ]);
  await sql`update order_mails set sent_at = now() - interval '2 minutes'`.execute(db);
  await send(admin, 'POST', `/api/office/mails/${dispatched?._id}/send`);
  expect((await attached(sure.email)).at(-1)).toEqual([`${invoice?.number}.pdf`]);
});
