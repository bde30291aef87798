import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, expect, test, vi } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { type Mail, mailer } from './mail.ts';
import { SIGNATURE } from './mail-signature.ts';

const dataDir = aFolder('mail', afterAll);

const { company, colours } = readConfig({ SHOP_NAME: 'Hearth & Oak', COMPANY_NAME: 'Oak & Sons <Ltd>', COMPANY_NUMBER: '01234567' });
const SENDER = { mailFrom: 'Hearth & Oak <shop@example.com>', company, colours, publicUrl: 'https://shop.example', picturesUrl: undefined };
const mail: Mail = { to: 'nia@example.com', subject: 'Ihr Sofa – £499.99', text: 'Plain words: é', html: '<p>Rich words: é</p>' };

test('a mail reaches a mail server with both parts, its sender and its one recipient (§15.1)', async () => {
  const server = await startMailServer();
  const { log, lines, text } = readableLog();
  await mailer({ smtpUrl: server.url, ...SENDER, dataDir }, log).send(mail);
  const [{ to, mail: received } = { to: [], mail: undefined }] = server.received;
  expect(to).toEqual(['nia@example.com']);
  expect(received).toMatchObject({
    subject: mail.subject,
    text: `${mail.text}\n`,
    from: { name: 'Hearth & Oak', address: 'shop@example.com' },
  });
  expect(received?.html).toContain('<p>Rich words: é</p>');
  expect(received?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  expect(lines).toMatchObject([{ msg: 'mail sent', subject: mail.subject }]);
  expect(text()).not.toContain('nia@example.com');
  await server.close();
});

test('both parts say who sent a mail, how to reach them, and what a company has to say of itself (§15.1)', async () => {
  const server = await startMailServer();
  const signed = { ...mail, text: `Words\n${SIGNATURE}`, html: `<p>Words</p>${SIGNATURE}` };
  await mailer({ smtpUrl: server.url, ...SENDER, dataDir }, readableLog().log).send(signed);
  const [{ mail: received } = { mail: undefined }] = server.received;
  for (const words of [company.email, company.phone, company.hours, company.office, 'company number 01234567']) {
    expect(received?.text).toContain(words);
    expect(received?.html).toContain(words);
  }
  expect(received?.text).toContain('Oak & Sons <Ltd>, registered in England and Wales');
  expect(received?.html).toContain('Oak &#38; Sons &#60;Ltd&#62;');
  expect(received?.html).toContain('href="tel:+441632960148"');
  await server.close();
});

test('what the settings leave empty of the company and its contact is not in a mail (§2.3.7)', async () => {
  const server = await startMailServer();
  const unnamed = readConfig({ COMPANY_NUMBER: '', VAT_NUMBER: '', COMPANY_OFFICE: ' ', CONTACT_EMAIL: '', CONTACT_HOURS: '' });
  const signed = { ...mail, text: `Words\n${SIGNATURE}`, html: `<p>Words</p>${SIGNATURE}` };
  await mailer({ smtpUrl: server.url, ...SENDER, company: unnamed.company, dataDir }, readableLog().log).send(signed);
  const [{ mail: received } = { mail: undefined }] = server.received;
  expect(received?.text?.trim()).toBe('Words\nQuestions? Call 01632 960148.\n\nHearth & Oak is a trading name of Hearth & Oak Ltd.');
  expect(received?.html).not.toMatch(/mailto|company number|Registered office|\(\)/);
  await server.close();
});

test('the name and password of the mail server come from its address', async () => {
  const asked: unknown[] = [];
  const server = await startMailServer(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        asked.push([username, password]);
        done(null, password === 'p@ss' ? { user: username } : undefined);
      },
    },
    'shop:p%40ss@',
  );
  await mailer({ smtpUrl: server.url, ...SENDER, dataDir }, readableLog().log).send(mail);
  expect([asked, server.received.length]).toEqual([[['shop', 'p@ss']], 1]);
  await server.close();
});

test('a mail that the server refuses, or that finds no server, is an error and not a mail sent', async () => {
  const server = await startMailServer();
  const { log, lines } = readableLog();
  const post = mailer({ smtpUrl: server.url, ...SENDER, dataDir }, log);
  server.refusal = { code: 550, text: 'no such user' };
  await expect(post.send(mail)).rejects.toThrow('no such user');
  server.refusal = undefined;
  await post.send(mail);
  await server.close();
  await expect(post.send(mail)).rejects.toThrow(/ECONNREFUSED/);
  expect([server.received.length, lines.length]).toEqual([1, 1]);
});

test('a mail that is rehearsed goes as far as the server, or the disk, and is not sent', async () => {
  const greeted: string[] = [];
  const server = await startMailServer({ onConnect: ({ id }, done) => [greeted.push(id), done()] });
  const { log, lines } = readableLog();
  const bySmtp = mailer({ smtpUrl: server.url, ...SENDER, dataDir }, log);
  await bySmtp.rehearse(mail);
  expect([greeted.length, server.received.length]).toEqual([1, 0]);
  await server.close();
  await expect(bySmtp.rehearse(mail)).rejects.toThrow(/ECONNREFUSED/);
  await mailer({ smtpUrl: undefined, ...SENDER, dataDir }, log).rehearse(mail);
  expect([await readdir(join(dataDir, 'mail')), lines]).toEqual([[], []]);
});

test('nothing in an address or a subject adds a recipient, a header or a part', async () => {
  const server = await startMailServer();
  const post = mailer({ smtpUrl: server.url, ...SENDER, dataDir }, readableLog().log);
  const subject = 'Hello\r\nBcc: victim@example.com\r\n\r\nA body of their own';
  await post.send({ ...mail, subject });
  await post.send({ ...mail, to: 'nia@example.com, victim@example.com' }).catch(() => undefined);
  await post.send({ ...mail, to: 'nia@example.com\r\nRCPT TO:<victim@example.com>' }).catch(() => undefined);
  for (const { to, mail: received } of server.received) {
    expect(to).not.toContain('victim@example.com');
    expect(received.bcc).toBeUndefined();
    expect(received.text).toBe(`${mail.text}\n`);
  }
  expect(server.received[0]?.to).toEqual(['nia@example.com']);
  await server.close();
});

test('without a mail server a mail that is sent again under its key is one file', async () => {
  const folder = aFolder('mail');
  const post = mailer({ smtpUrl: undefined, ...SENDER, dataDir: folder }, readableLog().log);
  for (const key of ['one', 'one', 'other']) await post.send(mail, key);
  expect((await readdir(join(folder, 'mail'))).sort()).toEqual(['one.eml', 'other.eml']);
});

test('a mail that no job queued stands before those of later jobs, also after a clock that was ahead', async () => {
  const folder = aFolder('mail');
  vi.setSystemTime(Date.now() + 3_600_000);
  newId();
  vi.useRealTimers();
  await mailer({ smtpUrl: undefined, ...SENDER, dataDir: folder }, readableLog().log).send(mail);
  const [name = ''] = await readdir(join(folder, 'mail'));
  expect(name < v7({ msecs: Date.now() + 1_000 })).toBe(true);
});

test('without a mail server each mail is one file, whole, and the log names it (§15.1)', async () => {
  const { log, lines, text } = readableLog();
  const post = mailer({ smtpUrl: undefined, ...SENDER, dataDir }, log);
  await Promise.all(Array.from({ length: 20 }, () => post.send(mail)));
  const files = (await readdir(join(dataDir, 'mail'))).map((name) => join(dataDir, 'mail', name));
  expect(files).toHaveLength(20);
  expect(files.every((file) => file.endsWith('.eml'))).toBe(true);
  expect(lines.map(({ file }) => file).sort()).toEqual(files.sort());
  const [first] = await mailsOf(dataDir, 'nia@example.com');
  expect(first).toMatchObject({ subject: mail.subject, text: `${mail.text}\n` });
  expect(text()).not.toContain('nia@example.com');
});
