import { expect, test } from 'vitest';
import { runCommand } from '#server/testing/commands.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { emptyDatabase, testShop } from '#server/testing/harness.ts';
import { appCode } from '#server/testing/second-factor.ts';

const shop = await testShop();
const { app, db } = shop;

const command = (args: string[], env: Record<string, string> = {}) => runCommand('admin', args, { DATABASE_URL: shop.databaseUrl, ...env });

const logIn = (email: string, password: string) => app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });

test('the command makes an administrator, who can log in and whose making is written down', async () => {
  const made = await command(['First@Example.com', '--name', 'First One'], { SHOP_ADMIN_PASSWORD: 'a long password' });
  expect(made).toEqual({ code: 0, output: 'An account was made for First@Example.com, as an administrator.', complaint: '' });
  const session = (await logIn('first@example.com', 'a long password')).json();
  expect(session).toMatchObject({ name: 'First One', isAdmin: true });
  await command(['ruth.oak@example.com'], { SHOP_ADMIN_PASSWORD: 'a long password' });
  expect(await db.selectFrom('users').select('name').where('email', '=', 'ruth.oak@example.com').execute()).toEqual([{ name: 'Ruth Oak' }]);
  const detail = await app.inject({ url: `/api/users/${session._id}`, headers: { bearer: session.token } });
  expect(detail.json().changes).toMatchObject([{ actor: 'Command line', change: 'Created as an administrator' }]);
  expect((await command(['first@example.com'])).output).toBe('first@example.com is already an administrator.');
});

test('the command explains itself', { tags: ['thorough'] }, async () => {
  expect(await command(['--help'])).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage:/), complaint: '' });
});

test('the command promotes a customer, whose password and session stay', async () => {
  const customer = await aCustomer(db);
  expect(await command([customer.email.toUpperCase()])).toMatchObject({
    code: 0,
    output: expect.stringContaining('is now an administrator.'),
  });
  expect((await app.inject({ url: '/api/users', headers: customer.headers })).statusCode).toBe(200);
  expect((await logIn(customer.email, PASSWORD)).json().isAdmin).toBe(true);
});

test.each([
  [[], 'Usage:'],
  [['nonsense'], 'Email is invalid.'],
  [['new@example.com', '--colour', 'red'], "Unknown option '--colour'"],
  [['erase', 'a@example.com', 'b@example.com'], 'Usage:'],
  [['new@example.com'], 'Set SHOP_ADMIN_PASSWORD.'],
  [['export', 'nobody@example.com'], 'No data is held about this address.'],
  [['settings', 'import', '/none.json'], 'There is no file /none.json.'],
])('the command refuses %j with a sentence', { tags: ['thorough'] }, async (args, sentence) => {
  const { code, output, complaint } = await command(args);
  expect([code, output]).toEqual([1, '']);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toContain('    at ');
});

test('a password that is too short or too common is refused with a sentence', async () => {
  expect((await command(['short@example.com'], { SHOP_ADMIN_PASSWORD: 'short' })).complaint).toBe(
    'Password must be at least 8 characters.',
  );
  expect((await command(['common@example.com'], { SHOP_ADMIN_PASSWORD: 'Password123' })).complaint).toMatch(
    /^This is one of the most common passwords/,
  );
});

test('a place without a shop is refused with a sentence', { tags: ['thorough'] }, async () => {
  const elsewhere = await command(['new@example.com'], { DATABASE_URL: '', SHOP_DATA_DIR: '/nowhere/at/all' });
  expect([elsewhere.code, elsewhere.complaint]).toEqual([
    1,
    'There is no shop here yet. Start it once (npm start) or run npm run migrate, or set SHOP_DATA_DIR or DATABASE_URL.',
  ]);
  const gone = await command(['new@example.com'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect([gone.code, gone.complaint]).toEqual([1, expect.stringMatching(/^The command failed: .*ECONNREFUSED/)]);
});

test('the command prints what is held on a customer as JSON, and erases it', async () => {
  const customer = await aCustomer(db, { name: 'Exa Ported' });
  const { code, output } = await command(['export', customer.email]);
  expect([code, JSON.parse(output).account.name]).toEqual([0, 'Exa Ported']);
  expect(await command(['erase', customer.email])).toEqual({
    code: 0,
    output: 'The account is erased; 0 orders are kept, without personal data.',
    complaint: '',
  });
  expect((await command(['export', customer.email])).code).toBe(1);
});

test('the command sets up an administrator’s second factor by a QR code, and takes it away', { tags: ['thorough'] }, async () => {
  const admin = await anAdmin(db);
  const setUp = (email: string, answer = (output: string) => /into it: (.+)\n/.exec(output)?.[1]) =>
    runCommand(
      'admin',
      ['second-factor', email],
      { DATABASE_URL: shop.databaseUrl },
      {
        answer: (output) => {
          const secret = answer(output);
          return secret && appCode(secret);
        },
      },
    );
  const { code, output, complaint } = await setUp(admin.email);
  expect([code, complaint]).toEqual([0, 'The code that the app shows:']);
  expect(output).toContain('▀');
  const [, secret = ''] = /into it: (.+)\n/.exec(output) ?? [];
  const recovery = output.split('\n').slice(-10);
  expect(recovery).toEqual(recovery.map(() => expect.stringMatching(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)));
  expect((await logIn(admin.email, PASSWORD)).statusCode).toBe(401);
  const payload = { email: admin.email, password: PASSWORD, code: appCode(secret, 1) };
  expect((await app.inject({ method: 'POST', url: '/api/users/login', payload })).statusCode).toBe(200);
  expect((await setUp(admin.email, () => 'AAAAAAAA')).complaint).toContain('This code is wrong.');
  expect((await command(['second-factor', (await aCustomer(db)).email])).complaint).toContain('is not an administrator.');
  expect((await command(['second-factor', admin.email])).complaint).toContain('No code was typed, so nothing was changed.');
  expect(await command(['second-factor', admin.email, '--remove'])).toEqual({
    code: 0,
    output: `The second factor of ${admin.email} is switched off.`,
    complaint: '',
  });
  expect((await logIn(admin.email, PASSWORD)).statusCode).toBe(200);
});

test('migrate and generate say how to make the first administrator', { tags: ['thorough'] }, async () => {
  const { url: DATABASE_URL } = await emptyDatabase();
  const hint = 'There is no administrator yet. Make one: npm run admin -- you@example.com';
  const generate = (seed: string) => runCommand('generate', ['--products', '1', '--seed', seed], { DATABASE_URL });
  expect((await runCommand('migrate', [], { DATABASE_URL })).output.split('\n').at(-1)).toBe(hint);
  expect((await generate('1')).output.split('\n').at(-1)).toBe(hint);
  await runCommand('admin', ['boss@example.com'], { DATABASE_URL, SHOP_ADMIN_PASSWORD: 'a long password' });
  expect((await generate('2')).output).not.toContain(hint);
  expect((await runCommand('migrate', [], { DATABASE_URL })).output).toBe('The database is up to date.');
});

test('promoting an account whose address was never confirmed sets a new password and ends its sessions', async () => {
  const stranger = await aCustomer(db);
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', stranger._id).execute();
  expect((await command([stranger.email])).complaint).toContain('Set SHOP_ADMIN_PASSWORD.');
  const made = await command([stranger.email], { SHOP_ADMIN_PASSWORD: 'a long password' });
  expect(made.output).toContain('The account gets a new password, which is yours alone.');
  expect((await app.inject({ url: '/api/users', headers: stranger.headers })).statusCode).toBe(401);
  expect((await logIn(stranger.email, PASSWORD)).statusCode).toBe(401);
  expect((await logIn(stranger.email, 'a long password')).json().isAdmin).toBe(true);
});

test('an address that another account has changed to and not confirmed makes a new account', async () => {
  const stranger = await aCustomer(db);
  await db
    .updateTable('users')
    .set({ isEmailConfirmed: false, confirmedEmail: `own-${stranger.email}` })
    .where('id', '=', stranger._id)
    .execute();
  const made = await command([stranger.email], { SHOP_ADMIN_PASSWORD: 'a long password' });
  expect(made.output).toBe(`An account was made for ${stranger.email}, as an administrator.`);
  expect((await app.inject({ url: '/api/users', headers: stranger.headers })).statusCode).toBe(403);
});

test.each([undefined, 'an address of its own'])(
  'a role is not raised for a member of staff with an unconfirmed address and %s',
  async (own) => {
    const stranger = await anAdmin(db, { staffRole: 'read-only' });
    await db
      .updateTable('users')
      .set({ isEmailConfirmed: false, confirmedEmail: own ? `own-${stranger.email}` : null })
      .where('id', '=', stranger._id)
      .execute();
    const made = await command([stranger.email, '--role', 'owner'], { SHOP_ADMIN_PASSWORD: 'a long password' });
    expect(made.code).toBe(0);
    expect((await app.inject({ url: '/api/office/log', headers: stranger.headers })).statusCode).not.toBe(200);
    expect((await logIn(stranger.email, PASSWORD)).statusCode).toBe(401);
    expect((await logIn(stranger.email, 'a long password')).statusCode).toBe(200);
  },
);
