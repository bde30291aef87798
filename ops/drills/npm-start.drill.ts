import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '#server/platform/database/embedded/processes.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';

/** What `npm start` runs, without installing and building. */
const START = `import { hangUpAfterNpm } from ${JSON.stringify(join(ROOT, 'scripts/parent.mjs'))};
hangUpAfterNpm();
await import(${JSON.stringify(join(ROOT, 'dist/server/main.js'))});
`;

interface Running {
  /** The program that started the shop. */
  parent: ChildProcess;
  shop: number;
  postgres: number;
}

/** The built shop on an embedded database of its own, started by another program, once it has printed a sentence. */
async function start(command: string, args: string[], sentence: string, stdin: 'ignore' | number = 'ignore') {
  const dir = aFolder('npm');
  writeFileSync(join(dir, 'start.mjs'), START);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ scripts: { start: 'node start.mjs' } }));
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: String(await freePort()), SHOP_DATA_DIR: dir, LOG_LEVEL: 'error' };
  const parent = spawn(command, args, { cwd: dir, env, stdio: [stdin, 'pipe', 'inherit'], detached: true });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  let output = '';
  parent.stdout?.on('data', (text: Buffer) => {
    output += text;
  });
  await eventually(() => expect(output).toContain(sentence), 60);
  return { dir, parent };
}

/** The same, once the shop is open. */
async function aShopStartedBy(command: string, args: string[], stdin: 'ignore' | number = 'ignore'): Promise<Running> {
  const { dir, parent } = await start(command, args, 'The shop is open', stdin);
  const pidIn = (file: string) => Number.parseInt(readFileSync(join(dir, 'postgres/cluster', file), 'utf8'), 10);
  const running = { parent, shop: pidIn('owner'), postgres: pidIn('data/postmaster.pid') };
  onTestFinished(async () => {
    if (isAlive(running.shop)) process.kill(running.shop, 'SIGTERM');
    await eventually(() => expect([isAlive(running.shop), isAlive(running.postgres)]).toEqual([false, false]));
  });
  return running;
}

async function end(parent: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(parent, 'exit');
  parent.kill(signal);
  await gone;
}

test.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
  'when npm alone is ended by %s, the shop and its PostgreSQL stop too',
  async (signal) => {
    const { parent, shop, postgres } = await aShopStartedBy('npm', ['start']);
    await end(parent, signal);
    await eventually(() => expect([isAlive(shop), isAlive(postgres)]).toEqual([false, false]));
  },
);

/** Expects processes to stay alive for a time in which the shop looks several times whether npm is there. */
async function expectAliveFor(pids: number[], milliseconds: number): Promise<void> {
  const start = Date.now();
  await eventually(() => {
    expect(pids.map(isAlive)).toEqual(pids.map(() => true));
    expect(Date.now() - start).toBeGreaterThan(milliseconds);
  });
}

test('a shop that was started directly, as a service manager does, outlives what started it', async () => {
  const { parent, shop, postgres } = await aShopStartedBy('sh', ['-c', 'node start.mjs & wait']);
  await end(parent, 'SIGKILL');
  await expectAliveFor([shop, postgres], 2_000);
});

test.runIf(process.platform === 'linux')('a shop that was started with nohup outlives npm and its terminal', async () => {
  // nohup replaces a terminal by a standard input that can only be written to.
  const { parent, shop, postgres } = await aShopStartedBy('npm', ['start'], openSync('/dev/null', 'w'));
  await end(parent, 'SIGHUP');
  process.kill(shop, 'SIGHUP');
  await expectAliveFor([shop, postgres], 2_000);
});

test('a terminal that is closed stops the shop and its PostgreSQL in order', async () => {
  const { shop, postgres } = await aShopStartedBy('sh', ['-c', 'node start.mjs & wait']);
  process.kill(shop, 'SIGHUP');
  await eventually(() => expect([isAlive(shop), isAlive(postgres)]).toEqual([false, false]));
});

test('a shop that is told to stop while it makes its database leaves no PostgreSQL behind', async () => {
  const { dir, parent } = await start(process.execPath, ['start.mjs'], 'Making a database');
  await end(parent, 'SIGTERM');
  expect(parent.exitCode).toBe(0);
  const made = join(dir, 'postgres/cluster');
  // PostgreSQL removes it when it is stopped in order.
  expect([existsSync(join(made, 'data/PG_VERSION')), existsSync(join(made, 'data/postmaster.pid'))]).toEqual([true, false]);
});
