import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { type StaffRole as Role, roleSuffix, STAFF_ROLES } from '#contract/accounts/roles.ts';
import { Email, Name, Password, StaffRole } from '#contract/accounts/users.schema.ts';
import { createAdministrator, promoteUser } from '#server/accounts/administrators.service.ts';
import { eraseCustomer, exportCustomer } from '#server/accounts/privacy.service.ts';
import { removeByCommand, setUpByCommand } from '#server/accounts/second-factor/command.service.ts';
import { type CommandServices, withShop } from '#server/app/with-shop.ts';
import { noteStored } from '#server/catalogue/pictures.jobs.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { runCommandLine, say } from '#server/platform/command.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { findIdleWords } from '#server/search/idle-words.service.ts';
import { importSettings } from '#server/settings/settings-file.ts';
import { settingsForFile } from '#server/settings/settings-pictures.ts';

const USAGE = `Usage:
  npm run admin -- anna@example.com [--name "Anna Oak"]   makes an administrator: a new account, or one that is there
                                                          (without a name: that of the address, such as Anna)
                          [--role orders]                 in a role other than owner: ${STAFF_ROLES.slice(1).join(', ')}
  npm run -s admin -- export anna@example.com             prints everything that is held on a customer, as JSON
  npm run admin -- erase anna@example.com [--force]       deletes a customer; orders stay, without personal data
                                                          (--force: also with orders that are not delivered yet)
  npm run admin -- second-factor anna@example.com [--remove]
                                                          sets up an administrator's second factor: a QR code for an app on the
                                                          phone (--remove: takes it away, for who has lost app and recovery codes)
  npm run -s admin -- search-words                        says which lines of the search's words lead to nothing here
  npm run -s admin -- settings export                     prints what is set on /admin/settings, with its pictures, as JSON
  npm run admin -- settings import shop.json              sets it from such a file, at once in a shop that runs

The password of a new account is asked for, or taken from SHOP_ADMIN_PASSWORD.
The database is that of DATABASE_URL, else the embedded one under SHOP_DATA_DIR.
`;

const ask = (text: string) => void process.stderr.write(text);

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(`${result.error.issues[0]?.message}.`);
  return result.data;
}

/** Reads a line from the terminal without showing it. */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  ask(question);
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    ask('\n');
  }
}

async function choosePassword(): Promise<string> {
  const given = process.env.SHOP_ADMIN_PASSWORD;
  if (given) return parse(Password, given);
  if (!process.stdin.isTTY) throw new Error('No terminal is available to ask for a password. Set SHOP_ADMIN_PASSWORD.');
  const password = parse(Password, await askHidden('Password of the new administrator (at least 8 characters): '));
  if ((await askHidden('Repeat the password: ')) !== password) throw new Error('Passwords do not match.');
  return password;
}

/** `anna.oak@example.com` → `Anna Oak`, so that history and log tell administrators apart. */
const nameOf = (email: string): string =>
  (email.split('@')[0] ?? '')
    .split(/[._+-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')
    .trim() || email;

async function makeAdministrator(db: Db, email: string, name: string, role: Role | undefined): Promise<void> {
  let outcome = await promoteUser(db, email, role);
  if (outcome === 'unconfirmed') {
    say(`Somebody has registered ${email} and never confirmed it. The account gets a new password, which is yours alone.`);
    outcome = await promoteUser(db, email, role, await choosePassword());
  }
  if (outcome === 'promoted') return say(`${email} is now an administrator${role ? roleSuffix(role) : ''}.`);
  if (outcome === 'unchanged') return say(`${email} is already an administrator.`);
  const password = await choosePassword();
  await createAdministrator(db, { name, email, password, role });
  say(`An account was made for ${email}, as an administrator.`);
}

async function erase(db: Db, email: string, isForced: boolean): Promise<void> {
  const { hadAccount, orders } = await eraseCustomer(db, email, isForced);
  say(
    `${hadAccount ? 'The account is erased' : 'There was no account'}; ${orders} order${orders === 1 ? '' : 's'} ${orders === 1 ? 'is' : 'are'} kept, without personal data.`,
  );
}

/** Reads a line of standard input, typed or piped. */
async function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin });
  ask(question);
  try {
    for await (const line of terminal) return line;
    throw new Error('No code was typed, so nothing was changed.');
  } finally {
    terminal.close();
  }
}

async function setUpSecondFactor(services: CommandServices, email: string): Promise<void> {
  const { recoveryCodes } = await setUpByCommand(services, email, ({ qr, secret }) => {
    say(`${qr}\nScan this with an authenticator app, or type the key into it: ${secret}`);
    return askLine('The code that the app shows: ');
  });
  say(`\nThe second factor of ${email} is set up, and other devices are logged out.`);
  say(`Keep these recovery codes where only you find them. Each works once, in place of a code:\n\n${recoveryCodes.join('\n')}`);
}

async function removeSecondFactor(services: CommandServices, email: string): Promise<void> {
  await removeByCommand(services, email);
  say(`The second factor of ${email} is switched off.`);
}

/** The text of a file. Throws an Error for the operator if the file does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? `There is no file ${file}.` : `The file ${file} cannot be read (${code}).`);
  }
}

async function moveSettings({ db, config, settings }: CommandServices, direction: string, file: string | undefined): Promise<void> {
  const pictures = pictureStore(config, (id) => noteStored(db, [id]));
  if (direction === 'export' && file === undefined) return say(JSON.stringify(await settingsForFile({ settings, pictures }), null, 2));
  if (direction !== 'import' || file === undefined) throw new Error(USAGE);
  const changed = await importSettings({ db, settings, pictures }, textOf(file));
  say(changed.length > 0 ? `Set: ${changed.join(', ')}.` : 'The shop already has these settings.');
}

async function checkSearchWords({ db, config }: CommandServices): Promise<void> {
  const { entries, idle } = await findIdleWords(db, config.searchWords);
  for (const { typed, meant } of idle) say(`“${typed}” leads to “${meant}”, and no product is called that.`);
  say(`${config.searchWords}: ${entries} phrases, ${idle.length} that lead to nothing here.`);
}

async function run(): Promise<void> {
  const options = {
    name: { type: 'string' },
    role: { type: 'string' },
    force: { type: 'boolean', default: false },
    remove: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return say(USAGE);
  const [first = '', second, third] = positionals;
  if (first === 'search-words') return withShop(checkSearchWords);
  if (first === 'settings') return withShop((services) => moveSettings(services, second ?? '', third));
  const command = ['export', 'erase', 'second-factor'].includes(first) ? first : 'make';
  const typed = command === 'make' ? first : second;
  if (!typed || positionals.length > (command === 'make' ? 1 : 2)) throw new Error(USAGE);
  const email = parse(Email, typed);
  const name = parse(Name, values.name ?? nameOf(email));
  const role = parse(StaffRole.optional(), values.role);
  await withShop(async (services) => {
    if (command === 'second-factor') return (values.remove ? removeSecondFactor : setUpSecondFactor)(services, email);
    if (command === 'export') return say(JSON.stringify(await exportCustomer(services.db, email), null, 2));
    if (command === 'erase') return erase(services.db, email, values.force);
    return makeAdministrator(services.db, email, name, role);
  });
}

await runCommandLine(run, USAGE);
