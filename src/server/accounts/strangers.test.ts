import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts/users.ts';
import type { OrderMails } from '#contract/orders/order-mails.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { freeAddress } from '#server/accounts/addresses.service.ts';
import { exportCustomer } from '#server/accounts/privacy.service.ts';
import { runJobs } from '#server/app/jobs.ts';
import { HOURLY_MAILS, mailboxOf } from '#server/sessions/mail-limit.service.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop();
const { app, db, services } = shop;
const TYPED = 'YOU WON A CAR visit prizes.example now';
let strangers = 0;
const aStranger = () => `stranger-${++strangers}@example.com`;

async function call<T = { message: string }>(
  who: Pick<SignedIn, 'headers'>,
  method: 'POST' | 'PUT' | 'GET',
  url: string,
  payload?: object,
) {
  const reply = await app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
  return { status: reply.statusCode, answer: reply.json<T>() };
}

async function mails(to: string) {
  await runJobs(services);
  return mailsOf(shop.dataDir, to);
}

/** Registers like a visitor, with an unconfirmed address. */
async function register(email: string, name = TYPED): Promise<SignedIn> {
  const reply = await app.inject({ method: 'POST', url: '/api/users', payload: { name, email, password: PASSWORD } });
  const { _id, token } = reply.json<Session>();
  return { _id, name, email, token, headers: { bearer: token } };
}

const move = (who: SignedIn, email: string, name = who.name) =>
  call(who, 'PUT', '/api/users/profile', { name, email, currentPassword: PASSWORD });

async function order(who: SignedIn, lines: number, fields = {}): Promise<Order> {
  const products = await Promise.all(Array.from({ length: lines }, () => aProduct(db)));
  return (
    await call<Order>(
      who,
      'POST',
      '/api/orders',
      aPayload(
        products.map((product) => aLine(product)),
        fields,
      ),
    )
  ).answer;
}

/** The link's token in the newest mail to an address. */
const tokenIn = async (to: string) => /#confirm-email=([\w-]+)/.exec((await mails(to)).at(-1)?.text ?? '')?.[1] ?? '';

test('asking for a return and withdrawing it in a loop, at an address changed to a stranger’s, mails the stranger once and says nothing typed', async () => {
  const attacker = await aCustomer(db);
  const stranger = aStranger();
  const { _id } = await order(attacker, 1, { fullName: TYPED });
  await forceOrder(db, _id, { paidAt: new Date().toISOString(), deliveredAt: new Date().toISOString() });
  await move(attacker, stranger, TYPED);
  const statuses: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const { status, answer } = await call<Order>(attacker, 'POST', `/api/orders/${_id}/returns`, {
      lines: [{ line: 0, qty: 1 }],
      reason: 'Wrong piece',
    });
    statuses.push(status);
    if (status === 200) await call(attacker, 'POST', `/api/returns/${answer.returns.at(-1)?._id}/withdraw`);
  }
  expect(statuses).toEqual([...new Array<number>(20).fill(200), ...new Array<number>(10).fill(409)]);
  const received = await mails(stranger);
  expect(received.map(({ subject }) => subject)).toEqual(['Please confirm your email address']);
  for (const { text, html } of received) expect(`${text}${html}`).not.toContain('YOU WON');
  const page = await app.inject({ url: `/api/orders/${_id}`, headers: attacker.headers });
  expect(page.body.length).toBeLessThan(10_000);
});

test('an order of many lines, cancelled one by one at a stranger’s address, mails the stranger a few times, and one mail stands for the rest', async () => {
  const stranger = aStranger();
  const attacker = await register(stranger);
  const { _id } = await order(attacker, 60, { fullName: TYPED });
  for (let line = 0; line < 60; line += 1)
    expect((await call(attacker, 'POST', `/api/orders/${_id}/cancel`, { lines: [line], reason: 'Another reason' })).status).toBe(200);
  expect(await mails(stranger)).toHaveLength(HOURLY_MAILS.unconfirmed);
  await makeJobsDue(db);
  const received = await mails(stranger);
  expect(received).toHaveLength(HOURLY_MAILS.unconfirmed + 1);
  expect(received.at(-1)?.subject).toBe('There is more news about your orders');
  for (const { subject, text, html } of received) expect(`${subject}${text}${html}`).not.toContain('YOU WON');
});

test('a mailbox that nobody confirmed gets no more mails of changed passwords than of anything else', async () => {
  const stranger = aStranger();
  for (const tag of ['+a', '+b', '+c']) {
    const attacker = await register(stranger.replace('@', `${tag}@`));
    for (let n = 0; n < 9; n += 1)
      expect((await call(attacker, 'PUT', '/api/users/profile', { name: 'A', password: PASSWORD, currentPassword: PASSWORD })).status).toBe(
        200,
      );
  }
  await runJobs(services);
  const received = await Promise.all(['+a', '+b', '+c'].map((tag) => mailsOf(shop.dataDir, stranger.replace('@', `${tag}@`))));
  expect(received.flat()).toHaveLength(HOURLY_MAILS.unconfirmed);
});

test('tagged addresses, and those of Gmail with dots, are one mailbox for the limit', () => {
  expect(['v.ictim@gmail.com', 'Vi.c.tim+1@googlemail.com'].map(mailboxOf)).toEqual(['victim@gmail.com', 'victim@gmail.com']);
  expect(['Victim+1@Example.com', 'victim+2+3@example.com', 'victim@example.com', '+a@example.com'].map(mailboxOf)).toEqual([
    'victim@example.com',
    'victim@example.com',
    'victim@example.com',
    '+a@example.com',
  ]);
});

test('all mails of ordinary use arrive, also at an address that nobody has confirmed', async () => {
  const buyer = await register(aStranger(), 'Pat Plain');
  for (let n = 0; n < 10; n += 1) await order(buyer, 1);
  expect(await mails(buyer.email)).toHaveLength(10);
});

test('a new address logs in at once; order mails go to the old one until the link in the mail is followed', async () => {
  const buyer = await aCustomer(db);
  const moved = aStranger();
  expect((await move(buyer, moved)).answer).toMatchObject({ _id: buyer._id, email: moved, token: buyer.token });
  const login = await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: moved, password: PASSWORD } });
  expect(login.statusCode).toBe(200);
  await order(buyer, 1);
  expect((await mails(buyer.email)).map(({ subject }) => subject)).toEqual([
    'Your email address was changed',
    expect.stringContaining('Thank you for your order'),
  ]);
  const token = await tokenIn(moved);
  const confirm = () => app.inject({ method: 'POST', url: '/api/users/confirm-email', headers: buyer.headers, payload: { token } });
  expect((await confirm()).json()).toEqual({ message: 'Thank you. Emails about your orders come to this address from now on.' });
  expect((await confirm()).statusCode).toBe(404);
  await order(buyer, 1);
  expect((await mails(moved)).map(({ subject }) => subject)).toEqual([
    'Please confirm your email address',
    expect.stringContaining('Thank you for your order'),
  ]);
});

test('a link for an address that was changed again confirms nothing, and going back to the confirmed one needs no link', async () => {
  const buyer = await aCustomer(db);
  const [first, second] = [aStranger(), aStranger()];
  await move(buyer, first);
  const token = await tokenIn(first);
  await move(buyer, second);
  expect((await call(buyer, 'POST', '/api/users/confirm-email', { token })).status).toBe(404);
  await move(buyer, buyer.email);
  expect((await mails(second)).at(-1)?.text).toContain('The email address of your account was changed.');
  await order(buyer, 1);
  expect((await mails(buyer.email)).at(-1)?.subject).toContain('Thank you for your order');
});

test('an address is confirmed by its link only with the login of its account: it may be a stranger’s', async () => {
  const [owner, buyer] = [await anAdmin(db), await aCustomer(db)];
  const [typo, moved] = [aStranger(), aStranger()];
  await move(buyer, moved);
  const token = await tokenIn(moved);
  expect((await app.inject({ method: 'POST', url: '/api/users/confirm-email', payload: { token } })).statusCode).toBe(403);
  expect((await call(buyer, 'POST', '/api/users/confirm-email', { token })).status).toBe(200);
  await move(owner, typo);
  const payload = { token: await tokenIn(typo) };
  const follow = (headers = {}) => app.inject({ method: 'POST', url: '/api/users/confirm-email', headers, payload });
  const refused = [403, 'Please log in with this account first, then open this link again.'];
  for (const headers of [{}, (await aCustomer(db)).headers]) {
    const reply = await follow(headers);
    expect([reply.statusCode, reply.json().message]).toEqual(refused);
  }
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', owner._id).execute();
  expect((await follow(owner.headers)).json().errors).toEqual({ password: 'Please enter your password again to continue.' });
  await db.updateTable('sessions').set({ provenAt: new Date().toISOString() }).where('userId', '=', owner._id).execute();
  expect((await follow(owner.headers)).statusCode).toBe(200);
});

test('a code for staff who mistyped their new address goes to the one they had confirmed, and confirms nothing', async () => {
  const owner = await anAdmin(db);
  const typo = aStranger();
  await move(owner, typo);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: typo } });
  const codeIn = async (address: string) => /^\d{6}$/m.exec((await mails(address)).at(-1)?.text ?? '')?.[0];
  expect(await codeIn(typo)).toBeUndefined();
  const payload = { email: typo, otp: await codeIn(owner.email), newPassword: 'another one' };
  expect((await app.inject({ method: 'POST', url: '/api/users/reset-password', payload })).statusCode).toBe(200);
  const account = db.selectFrom('users').select(['email', 'isEmailConfirmed', 'confirmedEmail']).where('id', '=', owner._id);
  expect(await account.executeTakeFirst()).toEqual({ email: typo, isEmailConfirmed: false, confirmedEmail: owner.email });
});

test('a code for staff who never confirmed an address goes to the one that their role was given to', async () => {
  const owner = await anAdmin(db);
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', owner._id).execute();
  const typo = aStranger();
  await move(owner, typo);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: typo } });
  const codes = async (address: string) => (await mails(address)).filter(({ text }) => /^\d{6}$/m.test(text ?? '')).length;
  expect([await codes(typo), await codes(owner.email)]).toEqual([0, 1]);
});

test('an address of staff that nobody confirmed is not confirmed by changing it there and back', async () => {
  const owner = await anAdmin(db);
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', owner._id).execute();
  const other = aStranger();
  const isConfirmed = async () => {
    const { isEmailConfirmed, confirmedEmail } = await db
      .selectFrom('users')
      .select(['isEmailConfirmed', 'confirmedEmail'])
      .where('id', '=', owner._id)
      .executeTakeFirstOrThrow();
    return isEmailConfirmed || confirmedEmail !== null;
  };
  await move(owner, other);
  expect(await isConfirmed()).toBe(false);
  await move(owner, owner.email);
  expect(await isConfirmed()).toBe(false);
  const payload = { token: await tokenIn(owner.email) };
  const followed = await app.inject({ method: 'POST', url: '/api/users/confirm-email', headers: owner.headers, payload });
  expect([followed.statusCode, await isConfirmed()]).toEqual([200, true]);
});

test('an address of staff that nobody confirmed, mistyped as a stranger’s, comes back once the stranger orders by phone', async () => {
  const owner = await anAdmin(db);
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', owner._id).execute();
  const typo = aStranger();
  await move(owner, typo);
  await db.transaction().execute((tx) => freeAddress(tx, typo));
  const account = db.selectFrom('users').select(['email', 'isEmailConfirmed', 'formerEmail']).where('id', '=', owner._id);
  expect(await account.executeTakeFirst()).toEqual({ email: owner.email, isEmailConfirmed: false, formerEmail: null });
});

test('a typo in the address of staff that an owner corrects leaves the mistyped mailbox no way in', async () => {
  const [owner, other] = [await anAdmin(db), await anAdmin(db)];
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', other._id).execute();
  const right = aStranger();
  const corrected = {
    method: 'PUT',
    url: `/api/users/${other._id}`,
    headers: owner.headers,
    payload: { name: 'O', email: right, isAdmin: true },
  } as const;
  expect((await app.inject(corrected)).statusCode).toBe(200);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: right } });
  const codes = async (address: string) => (await mails(address)).filter(({ text }) => /^\d{6}$/m.test(text ?? '')).length;
  expect([await codes(other.email), await codes(right)]).toEqual([0, 1]);
});

test('the confirmation of an order has a link that confirms the address: it works once, only with that account’s login, and later mails have name and invoice (§22.7)', async () => {
  const buyer = await register(aStranger(), 'Pat Plain');
  const { _id } = await order(buyer, 2);
  const token = await tokenIn(buyer.email);
  expect(token).not.toBe('');
  // The link of a later order, and of the profile, works beside it.
  await order(buyer, 1);
  expect(await tokenIn(buyer.email)).not.toBe(token);
  const confirm = (who: Pick<SignedIn, 'headers'>) => call(who, 'POST', '/api/users/confirm-email', { token });
  for (const who of [{ headers: { bearer: '' } }, await aCustomer(db)])
    expect(await confirm(who)).toEqual({
      status: 403,
      answer: { message: 'Please log in with this account first, then open this link again.' },
    });
  expect((await confirm(buyer)).status).toBe(200);
  expect((await confirm(buyer)).status).toBe(404);
  await order(buyer, 1);
  expect(await tokenIn(buyer.email)).toBe('');
  const admin = await anAdmin(db);
  await call(admin, 'PUT', `/api/orders/${_id}/deliver`, { isDelivered: true });
  const [delivered] = (await mails(buyer.email)).slice(-1);
  expect(delivered?.text).toMatch(/^Hello Pat Plain,/);
  expect(delivered?.attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^INV-\d+\.pdf$/)]);
});

test('who gave an account a stranger’s address does not confirm it by the order mail that went there: neither sent again, nor exported, nor after coming back', async () => {
  const [victim, own, admin] = [aStranger(), aStranger(), await anAdmin(db)];
  const eve = await register(victim);
  const { _id } = await order(eve, 1);
  const token = await tokenIn(victim);
  expect(token).not.toBe('');
  expect(JSON.stringify(await exportCustomer(db, victim))).not.toContain('#confirm-email');
  await move(eve, own);
  expect((await call(eve, 'POST', '/api/users/confirm-email', { token: await tokenIn(own) })).status).toBe(200);
  await db.updateTable('orderMails').set({ sentAt: sql`now() - interval '2 minutes'` }).execute();
  const { answer } = await call<OrderMails>(admin, 'GET', `/api/office/orders/${_id}/mails`);
  expect((await call(admin, 'POST', `/api/office/mails/${answer.mails[0]?._id}/send`)).answer.message).toContain(own);
  const again = (await mails(own)).at(-1);
  expect([again?.text?.includes('confirm that the address is yours'), again?.text?.includes('#confirm-email')]).toEqual([true, false]);
  await move(eve, victim);
  expect((await call(eve, 'POST', '/api/users/confirm-email', { token })).status).toBe(404);
});

test('the profile mails a link to an address that is not confirmed, once a minute', async () => {
  const buyer = await register(aStranger(), 'Pat Plain');
  const ask = () => call(buyer, 'POST', '/api/users/confirm-email/send');
  expect(await ask()).toEqual({
    status: 200,
    answer: { message: `We have emailed a link to ${buyer.email}. Please open it where you are logged in.` },
  });
  expect(await ask()).toEqual({
    status: 409,
    answer: { message: 'We emailed you a link a moment ago. Please wait a minute before you ask again.' },
  });
  const [mail, ...others] = await mails(buyer.email);
  expect([mail?.text?.includes('Pat Plain'), others]).toEqual([false, []]);
  // Of a clock that was ahead.
  await db
    .updateTable('addressLinks')
    .set({ createdAt: new Date(Date.now() + 40 * 86_400_000).toISOString() })
    .execute();
  expect((await ask()).status).toBe(200);
  expect((await call(buyer, 'POST', '/api/users/confirm-email', { token: await tokenIn(buyer.email) })).status).toBe(200);
  expect(await ask()).toEqual({ status: 200, answer: { message: 'Your email address is confirmed already.' } });
});

test('the code of a reset confirms an address too, and mails then greet by name', async () => {
  const buyer = await register(aStranger(), 'Pat Plain');
  const { _id } = await order(buyer, 2);
  const askedMail = async (line: number) => {
    await forceOrder(db, _id, { paidAt: new Date().toISOString(), deliveredAt: new Date().toISOString() });
    await call(buyer, 'POST', `/api/orders/${_id}/returns`, { lines: [{ line, qty: 1 }], reason: 'Wrong piece' });
    return (await mails(buyer.email)).at(-1)?.text ?? '';
  };
  expect(await askedMail(0)).toMatch(/^Hello,/);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: buyer.email } });
  const otp = /^\d{6}$/m.exec((await mails(buyer.email)).at(-1)?.text ?? '')?.[0];
  const payload = { email: buyer.email, otp, newPassword: 'another one' };
  expect((await app.inject({ method: 'POST', url: '/api/users/reset-password', payload })).statusCode).toBe(200);
  const again = await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: buyer.email, password: 'another one' } });
  buyer.headers = { bearer: again.json<Session>().token };
  expect(await askedMail(1)).toMatch(/^Hello Pat Plain,/);
});
