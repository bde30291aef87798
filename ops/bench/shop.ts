import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '#server/platform/ports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { AS_DEPLOYED, endProcess } from '#server/testing/shop-process.ts';

/** A process of the production build, or of the bare server. */
export interface Running {
  url: string;
  pid: number;
  /** How long it took to be open, in milliseconds. */
  ms: number;
  stop(): Promise<void>;
}

/** Runs a program until its output, which goes to a file as an operator's log does, says that it is open. Throws when it ends before. */
async function open(args: string[], url: string, settings: Record<string, string>, sign: string): Promise<Running> {
  const began = performance.now();
  const log = join(mkdtempSync(join(tmpdir(), 'shop-bench-log-')), 'log');
  const out = openSync(log, 'w');
  const child = spawn(process.execPath, args, { env: { ...process.env, ...AS_DEPLOYED, ...settings }, stdio: ['ignore', out, 'inherit'] });
  closeSync(out);
  while (!readFileSync(log, 'utf8').includes(sign)) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}:\n${readFileSync(log, 'utf8')}`);
    await setTimeout(5);
  }
  const ms = performance.now() - began;
  const stop = async () => {
    await endProcess(child);
    rmSync(dirname(log), { recursive: true });
  };
  return { url, pid: child.pid ?? 0, ms, stop };
}

/** Starts the shop with the settings that an operator runs, but for the limits on attempts and orders. */
export async function openShop(dataDir: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = String(await freePort());
  const all = {
    PORT: port,
    SHOP_DATA_DIR: dataDir,
    ...MANY_ORDERS,
    ...settings,
  };
  return open(['dist/server/main.js'], `http://127.0.0.1:${port}`, all, 'The shop is open');
}

/** Starts a server that does nothing but hand out what the shop answers to a path: the same head, the same bytes. */
export async function openBare(shop: string, path: string): Promise<Running> {
  const port = String(await freePort());
  return open(['ops/bench/bare-server.ts', shop + path, port], `http://127.0.0.1:${port}`, {}, 'open');
}

async function runCommand(dataDir: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { env: { ...process.env, SHOP_DATA_DIR: dataDir }, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
}

/** Fills a new database with generated products. */
export async function generate(dataDir: string, products: number): Promise<void> {
  await runCommand(dataDir, ['dist/server/migrate.js']);
  await runCommand(dataDir, ['dist/server/generate.js', '--products', String(products)]);
}

/** Memory that a process holds, in MB. */
export const memoryOf = ({ pid }: Running) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
