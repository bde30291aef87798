import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findFolder, program, removeOldBinaries, withPrograms } from '#server/platform/database/embedded/installation.ts';
import type { Trouble } from '#server/platform/database/embedded/server.ts';
import { type EmbeddedPostgres, startEmbedded } from '#server/platform/database/embedded.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { ask, postmasterOf, settings } from '#server/testing/embedded-folders.ts';
import { eventually } from '#server/testing/eventually.ts';

/** A folder with a database that holds something. */
async function aKeptDatabase(): Promise<{ dir: string; inside: (name: string) => string }> {
  const dir = aFolder();
  const server = await startEmbedded(dir, { settings });
  await ask(server.url, "create table kept as select 'oak' as wood");
  await server.stop();
  return { dir, inside: (name) => join(dir, 'cluster', name) };
}

async function expectKept(dir: string): Promise<void> {
  const server = await startEmbedded(dir, { settings });
  expect(await ask(server.url, 'select wood from kept')).toBe('oak');
  await server.stop();
}

const postmaster = (dir: string) => postmasterOf(join(dir, 'cluster/data'));

/** A running database whose troubles are recorded. */
async function aWatchedDatabase(): Promise<{ dir: string; server: EmbeddedPostgres; troubles: (Trouble | undefined)[] }> {
  const dir = aFolder();
  const troubles: (Trouble | undefined)[] = [];
  const server = await startEmbedded(dir, { settings, onTrouble: (trouble) => troubles.push(trouble) });
  return { dir, server, troubles };
}

test('a PostgreSQL whose port another program has taken is tried again, however often that fails, and told of each time', async () => {
  const { dir, server, troubles } = await aWatchedDatabase();
  const thief = createServer();
  const kill = () => process.kill(postmaster(dir), 'SIGKILL');
  kill();
  // The port is free once PostgreSQL has ended. It may be back before the port is taken; then it is killed once more.
  await eventually(async () => {
    try {
      thief.listen(Number(new URL(server.url).port), '127.0.0.1');
      await once(thief, 'listening');
    } catch (error) {
      kill();
      throw error;
    }
  });
  const inUse = { reason: expect.stringContaining('Address already in use'), mendsItself: true };
  await eventually(() => expect(troubles.slice(-2)).toEqual([inUse, inUse]));
  thief.close();
  expect(await eventually(() => ask(server.url, 'select 1'))).toBe(1);
  await eventually(() => expect(troubles.at(-1)).toBeUndefined());
  await server.stop();
});

test('files that have gone are a trouble that does not mend itself; brought back, they are used again', async () => {
  const { dir, server, troubles } = await aWatchedDatabase();
  const [data, aside] = [join(dir, 'cluster/data'), join(dir, 'aside')];
  const pid = postmaster(dir);
  renameSync(data, aside);
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(troubles.at(-1)?.mendsItself).toBe(false));
  rmSync(join(aside, 'postmaster.pid'));
  renameSync(aside, data);
  expect(await eventually(() => ask(server.url, 'select 1'))).toBe(1);
  await server.stop();
});

test.each([
  [
    'without the mark of earlier versions that said it was made',
    (at: (name: string) => string) => rmSync(at('initialised'), { force: true }),
  ],
  ['with garbage for a port', (at) => writeFileSync(at('port'), 'soon\0')],
  ['with a port that there is not', (at) => writeFileSync(at('port'), '99999')],
  ['with garbage for an owner', (at) => writeFileSync(at('owner'), '-1\n\n')],
  ['with the pid of a process that is no shop for an owner', (at) => writeFileSync(at('owner'), `${process.ppid}\n1\n`)],
  ['with the owner’s pid alone, as earlier versions wrote it', (at) => writeFileSync(at('owner'), String(process.ppid))],
  ['with garbage for a password', (at) => writeFileSync(at('password'), '\0\0 ?')],
  ['with another password', (at) => writeFileSync(at('password'), 'a-password-of-another-shop')],
  ['without its password', (at) => rmSync(at('password'))],
  ['with the rest of an interrupted first start', (at) => mkdirSync(at('making-1'))],
] satisfies [string, (at: (name: string) => string) => void][])('a database %s opens, and has lost nothing', async (_, damage) => {
  const { dir, inside } = await aKeptDatabase();
  damage(inside);
  await expectKept(dir);
  await expectKept(dir);
});

test('a database of another major version is refused with what to do, and left as it is', async () => {
  const { dir, inside } = await aKeptDatabase();
  writeFileSync(inside('data/PG_VERSION'), '17\n');
  await expect(startEmbedded(dir, { settings })).rejects.toThrow(
    /was made by PostgreSQL 17; .* comes with PostgreSQL 18.*npm run restore/s,
  );
  writeFileSync(inside('data/PG_VERSION'), '18\n');
  await expectKept(dir);
});

test('files without a database among them are never deleted', async () => {
  const { dir, inside } = await aKeptDatabase();
  renameSync(inside('data/PG_VERSION'), inside('PG_VERSION'));
  await expect(startEmbedded(dir, { settings })).rejects.toThrow(/holds files, but no database/);
  expect(readdirSync(inside('data'))).toContain('global');
  renameSync(inside('PG_VERSION'), inside('data/PG_VERSION'));
  await expectKept(dir);
});

/** Another Node process that starts the database of a folder, and prints its URL or why it could not. */
function anotherShop(dir: string) {
  const script = join(aFolder(), 'start.mts');
  writeFileSync(
    script,
    `import { startEmbedded } from ${JSON.stringify(join(ROOT, 'src/server/platform/database/embedded.ts'))};
    try { process.stdout.write((await startEmbedded(${JSON.stringify(dir)}, { settings: { fsync: 'off' } })).url); setInterval(() => {}, 1000); }
    catch (error) { process.stdout.write(error.message); }`,
  );
  return spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('of several first starts at once one makes the database, and the others are told who has it', async () => {
  const dir = aFolder();
  const shops = Array.from({ length: 4 }, () => anotherShop(dir));
  const said = await Promise.all(shops.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
  const urls = said.filter((text) => text.startsWith('postgres://'));
  expect([urls.length, said.filter((text) => text.includes('already uses the data folder')).length]).toEqual([1, 3]);
  expect(await ask(String(urls[0]), 'select 1')).toBe(1);
  await Promise.all(
    shops.map(async (shop) => {
      const gone = shop.exitCode === null && once(shop, 'exit');
      shop.kill('SIGKILL');
      await gone;
    }),
  );
  // The next shop takes over the PostgreSQL that the killed one left running, and stops it.
  await (await startEmbedded(dir, { settings })).stop();
});

test.runIf(process.getuid?.() === 0)(
  'programs that had to be copied are copied anew when the package that they come from has changed',
  () => {
    const [folder, from] = [findFolder(aFolder()), aFolder()];
    // Closed to PostgreSQL's own account, so that the programs cannot be run from there.
    chmodSync(from, 0o700);
    cpSync(dirname(dirname(withPrograms(folder).bin)), from, { recursive: true, verbatimSymlinks: true });
    const versionOf = (version: string) => writeFileSync(join(from, 'package.json'), JSON.stringify({ version }));
    const copies = () => readdirSync(folder.dir).filter((name) => name.startsWith('native'));
    versionOf('18.4.0');
    const before = withPrograms(folder, from);
    expect(spawnSync(program(before, 'postgres'), ['--version'], { ...before.account, encoding: 'utf8' }).stdout).toContain('PostgreSQL');
    versionOf('18.5.0');
    const after = withPrograms(folder, from);
    expect(copies()).toEqual(['native-18.4.0', 'native-18.5.0']);
    removeOldBinaries(after);
    expect([after.bin, copies()]).toEqual([join(folder.dir, 'native-18.5.0/bin'), ['native-18.5.0']]);
  },
);
