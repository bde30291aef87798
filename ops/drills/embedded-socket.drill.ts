import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, isDatabaseGone } from '#server/platform/database/connect.ts';
import { findFolder } from '#server/platform/database/embedded/installation.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { ask, settings } from '#server/testing/embedded-folders.ts';

const CLIENT = 'select inet_client_addr()';

test.runIf(process.platform !== 'win32')(
  'the shop reaches its database by a socket, and tools by the loopback address as well',
  async () => {
    const server = await startEmbedded(aFolder('a shop, with "spaces" and 100 % '), { settings });
    expect(await ask(server.url, CLIENT)).toBeNull();
    // Only the URL's query names the socket.
    expect(await ask(Object.assign(new URL(server.url), { search: '' }).href, CLIENT)).toBe('127.0.0.1');
    await server.stop();
  },
);

test('a folder whose path is too long for a socket has the loopback address', async () => {
  const dir = join(aFolder(), 'a-long-name-'.repeat(10));
  mkdirSync(dir);
  const server = await startEmbedded(dir, { settings });
  expect(await ask(server.url, CLIENT)).toBe('127.0.0.1');
  await server.stop();
});

test.runIf(process.platform !== 'win32')(
  'a socket that a killed PostgreSQL left, whose pid a stranger has by now, stands in nobody’s way',
  async () => {
    const dir = aFolder();
    const first = await startEmbedded(dir, { settings });
    await first.stop();
    const folder = findFolder(dir);
    const stranger = spawn('sleep', ['60'], { ...folder.account, stdio: 'ignore' });
    const { port } = new URL(first.url);
    writeFileSync(join(folder.dir, `.s.PGSQL.${port}.lock`), `${stranger.pid}\n${folder.data}\n0\n${port}\n${folder.dir}\n`);
    const second = await startEmbedded(dir, { settings });
    expect([second.url, await ask(second.url, CLIENT)]).toEqual([first.url, null]);
    await second.stop();
    stranger.kill();
  },
);

test.runIf(process.platform !== 'win32')('a socket that is not there is a database that is not there', async () => {
  const dir = aFolder();
  const server = await startEmbedded(dir, { settings });
  await server.stop();
  rmSync(dir, { recursive: true });
  const { pool, close } = connect(server.url);
  const error = await pool.query('select 1').catch((reason: unknown) => reason);
  expect([(error as { code?: string }).code, isDatabaseGone(error)]).toEqual(['ENOENT', true]);
  await close();
});
