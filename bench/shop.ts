import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process of the production build, or of the bare server. */
export interface Running {
  url: string;
  pid: number;
  /** How long it took to be open, in milliseconds. */
  ms: number;
  stop(): Promise<void>;
}

/** A folder for a shop's data, open to PostgreSQL's own account, so that the database lies inside and goes with the folder. */
export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'shop-bench-'));
  chmodSync(dir, 0o711);
  return dir;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Runs a program until it says that it is open. Throws when it ends before. */
async function open(args: string[], url: string, settings: Record<string, string>, sign: string): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text;
      if (said.includes(sign)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}:\n${said}`)));
  });
  return { url, pid: child.pid ?? 0, ms: performance.now() - began, stop: () => ended(child) };
}

/** Starts the shop. */
export async function openShop(dataDir: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = String(await freePort());
  const all = { PORT: port, SHOP_DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '1000', ...settings };
  return open(['dist/server/main.js'], `http://127.0.0.1:${port}`, all, 'The shop is open');
}

/** Starts a server that does nothing but hand out what the shop answers to a path: the same head, the same bytes. */
export async function openBare(shop: string, path: string): Promise<Running> {
  const port = String(await freePort());
  return open(['--import', 'tsx', 'bench/bare.ts', shop + path, port], `http://127.0.0.1:${port}`, {}, 'open');
}

/** Fills a new database with generated products. */
export async function generate(dataDir: string, products: number): Promise<void> {
  const args = ['dist/server/generate.js', '--products', String(products)];
  const child = spawn(process.execPath, args, { env: { ...process.env, SHOP_DATA_DIR: dataDir }, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${products} products could not be generated.`);
}

/** Memory that a process holds, in MB. */
export const memoryOf = ({ pid }: Running) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
