import { spawn } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFolder, program, withPrograms } from '#server/platform/database/embedded/installation.ts';
import { commandOf, isAlive } from '#server/platform/database/embedded/processes.ts';
import { reachEmbedded, startEmbedded } from '#server/platform/database/embedded.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { ask, postmasterOf, settings } from '#server/testing/embedded-folders.ts';
import { eventually } from '#server/testing/eventually.ts';

test('the database is made at the first start, and found again at the second', async () => {
  const dir = aFolder('shop with spaces ');
  const first = await startEmbedded(dir, { settings });
  await ask(first.url, "create table kept as select 'oak' as wood");
  await first.stop();

  const second = await startEmbedded(dir, { settings });
  expect(await ask(second.url, 'select wood from kept')).toBe('oak');
  expect(second.url).toBe(first.url);
  await second.stop();
});

test('a PostgreSQL that is killed comes back on the same port', async () => {
  const server = await startEmbedded(aFolder(), { settings });
  const folder = String(await ask(server.url, 'show data_directory'));
  const pid = postmasterOf(folder);
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(postmasterOf(folder)).not.toBe(pid));
  expect(await eventually(() => ask(server.url, 'select 1'))).toBe(1);
  await server.stop();
});

/** Another Node process that starts the database of a folder and says so. */
async function anotherShop(dir: string) {
  const script = join(aFolder(), 'start.mts');
  writeFileSync(
    script,
    `import { startEmbedded } from ${JSON.stringify(join(ROOT, 'src/server/platform/database/embedded.ts'))};
    const { url } = await startEmbedded(${JSON.stringify(dir)}, { settings: { fsync: 'off' } }); process.stdout.write(url); setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString())));
  return { child, url };
}

test('a PostgreSQL that outlived a killed shop is taken over, and a living shop keeps its folder', async () => {
  const dir = aFolder();
  const { child, url } = await anotherShop(dir);
  await expect(startEmbedded(dir, { settings })).rejects.toThrow(`Another shop (process ${child.pid}) already uses the data folder`);

  const gone = new Promise((resolve) => child.once('exit', resolve));
  // A command beside the shop uses its database, and leaves it running.
  const reached = await reachEmbedded(dir);
  expect(reached.url).toBe(url);
  await reached.stop();
  expect(await ask(url, 'select 1')).toBe(1);
  child.kill('SIGKILL');
  await gone;
  const folder = String(await ask(url, 'show data_directory'));
  const before = postmasterOf(folder);
  const adopted = await startEmbedded(dir, { settings });
  expect([adopted.url, await ask(adopted.url, 'select 1'), postmasterOf(folder)]).toEqual([url, 1, before]);
  await adopted.stop();
  await expect(ask(adopted.url, 'select 1')).rejects.toThrow();
});

test('a PostgreSQL that a shop had just started when it was killed is waited for and taken over', async () => {
  const dir = aFolder();
  const first = await startEmbedded(dir, { settings });
  await first.stop();
  const installation = withPrograms(findFolder(dir));
  const args = [
    '-D',
    installation.data,
    '-p',
    new URL(first.url).port,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  const orphan = spawn(program(installation, 'postgres'), args, { ...installation.account, cwd: installation.dir, stdio: 'ignore' });
  const gone = new Promise((resolve) => orphan.once('exit', resolve));
  await eventually(() => expect(postmasterOf(installation.data)).toBe(orphan.pid));
  // Held in the middle of its start until the shop has looked for it.
  orphan.kill('SIGSTOP');
  const starting = startEmbedded(dir, { settings });
  orphan.kill('SIGCONT');
  const second = await starting;
  expect(await ask(second.url, 'select 1')).toBe(1);
  expect(postmasterOf(installation.data)).toBe(orphan.pid);
  await second.stop();
  await gone;
});

test('a pid file that names a stranger does not stand in the way', async () => {
  const dir = aFolder();
  const first = await startEmbedded(dir, { settings });
  const folder = String(await ask(first.url, 'show data_directory'));
  await first.stop();
  writeFileSync(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n0\n5432\n\n127.0.0.1\n0\nready\n`);
  const second = await startEmbedded(dir, { settings });
  expect(await ask(second.url, 'select 1')).toBe(1);
  await second.stop();
});

test('a stranger who was given the pid of the last PostgreSQL, and names its folder, does not stand in the way', async () => {
  const dir = aFolder();
  const first = await startEmbedded(dir, { settings });
  const folder = String(await ask(first.url, 'show data_directory'));
  await first.stop();
  const { account } = findFolder(dir);
  const stranger = spawn('tail', ['-f', join(folder, 'PG_VERSION')], { ...account, stdio: 'ignore' });
  await eventually(() => expect(commandOf(stranger.pid ?? 0)).toContain(folder));
  for (const state of ['ready', 'starting']) {
    writeFileSync(join(folder, 'postmaster.pid'), `${stranger.pid}\n${folder}\n0\n5432\n\n127.0.0.1\n0\n${state}\n`);
    const next = await startEmbedded(dir, { settings });
    expect(await ask(next.url, 'select 1')).toBe(1);
    await next.stop();
  }
  expect(isAlive(stranger.pid ?? 0)).toBe(true);
  stranger.kill();
});

test.runIf(process.getuid?.() === 0)('in a folder that only root can enter, the database lies elsewhere and is found again', async () => {
  const dir = aFolder();
  chmodSync(dir, 0o700);
  const first = await startEmbedded(dir, { settings });
  const folder = String(await ask(first.url, 'show data_directory'));
  onTestFinished(() => rmSync(dirname(folder), { recursive: true, force: true }));
  expect(folder.startsWith(dir)).toBe(false);
  await ask(first.url, "create table kept as select 'oak' as wood");
  await first.stop();

  const second = await startEmbedded(dir, { settings });
  expect(await ask(second.url, 'select wood from kept')).toBe('oak');
  await second.stop();
});
