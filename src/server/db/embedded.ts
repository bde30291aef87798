import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Place, preparePlace, program } from './embedded-place.ts';

const USER = 'shop';

/** A PostgreSQL that runs beside the shop, for as long as the shop runs. */
export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

interface Options {
  onProgress?: (text: string) => void;
  /** PostgreSQL settings; tests turn `fsync` off. */
  settings?: Record<string, string>;
}

/**
 * Starts the PostgreSQL that ships with the shop on a free port of the loopback address; the first time it makes the database first.
 * It is started again when it dies. One that outlived a killed shop is taken over. Throws an Error with a sentence for the
 * operator when another living shop uses the folder.
 */
export async function startEmbedded(
  dataDir: string,
  { onProgress = () => undefined, settings = {} }: Options = {},
): Promise<EmbeddedPostgres> {
  const place = preparePlace(dataDir);
  claim(place);
  const password = readOrMake(place, 'password', () => randomBytes(24).toString('base64url'));
  initialise(place, onProgress);
  const running = await awaitRunning(place);
  const server = new Server(place, running?.port ?? (await choosePort(place)), settings);
  if (running) server.adopt(running);
  else await server.start();
  return {
    url: urlOf(password, server.port),
    stop: async () => {
      await server.stop();
      rmSync(join(place.dir, 'owner'), { force: true });
    },
  };
}

/**
 * For a command beside the shop: the PostgreSQL of the shop that runs right now, or one that is started for as long as the command takes.
 * Throws an Error with a sentence for the operator when a shop is just starting or stopping.
 */
export async function reachEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const place = preparePlace(dataDir);
  const owner = ownerOf(place);
  if (!owner) return startEmbedded(dataDir);
  const running = findRunning(place);
  if (!running) throw new Error(`The shop (process ${owner}) is just starting or stopping. Try again in a moment.`);
  const password = readFileSync(join(place.dir, 'password'), 'utf8').trim();
  return { url: urlOf(password, running.port), stop: async () => undefined };
}

const urlOf = (password: string, port: number) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;

/** The process that uses the folder, when it is another one and lives. */
function ownerOf(place: Place): number | undefined {
  const mark = join(place.dir, 'owner');
  const owner = existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0;
  return owner && owner !== process.pid && isAlive(owner) && commandOf(owner).includes('node') ? owner : undefined;
}

/** Marks the folder as this process's. A mark left by a process that is gone is overwritten. */
function claim(place: Place): void {
  const owner = ownerOf(place);
  if (owner) {
    throw new Error(
      `Another shop (process ${owner}) already uses the data folder ${place.dir}. Stop it first, or set SHOP_DATA_DIR to another folder.`,
    );
  }
  writeFileSync(join(place.dir, 'owner'), String(process.pid));
}

function readOrMake(place: Place, name: string, make: () => string): string {
  const file = join(place.dir, name);
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  // initdb reads the password file itself, under its own account.
  if (place.runner.uid !== undefined && place.runner.gid !== undefined) chownSync(file, place.runner.uid, place.runner.gid);
  return readFileSync(file, 'utf8').trim();
}

/** Makes the database cluster; one that was interrupted half-way is made anew. */
function initialise(place: Place, onProgress: (text: string) => void): void {
  const done = join(place.dir, 'initialised');
  if (existsSync(done)) return;
  onProgress('Making a database: PostgreSQL, under the data folder');
  rmSync(place.data, { recursive: true, force: true });
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const access = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${join(place.dir, 'password')}`];
  const result = spawnSync(program(place, 'initdb'), ['-D', place.data, ...locale, ...access], {
    ...place.runner,
    cwd: place.dir,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`PostgreSQL could not make its database:\n${result.stderr ?? result.error?.message}`);
  writeFileSync(done, '');
}

/** The server of this very folder, when it is still running from before; a pid file that names anything else is removed. */
function findRunning(place: Place): { pid: number; port: number } | undefined {
  const file = join(place.data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (pid > 0 && isAlive(pid) && commandOf(pid).includes(place.data) && lines[7]?.trim() === 'ready') return { pid, port };
  if (!(pid > 0 && isAlive(pid) && commandOf(pid).includes(place.data))) rmSync(file, { force: true });
  return undefined;
}

/** The same, once one that is just starting or stopping has done so. */
async function awaitRunning(place: Place): Promise<{ pid: number; port: number } | undefined> {
  for (;;) {
    const running = findRunning(place);
    if (running || !existsSync(join(place.data, 'postmaster.pid'))) return running;
    await wait(50);
  }
}

/** Whether a process runs. One that has ended but was not reaped by its parent yet does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readProc(pid, 'stat'));
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The command line of a process; empty when it cannot be known. */
function commandOf(pid: number): string {
  if (process.platform === 'linux') return readProc(pid, 'cmdline').replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

/** The port of last time when it is free, else any. */
async function choosePort(place: Place): Promise<number> {
  const file = join(place.dir, 'port');
  const before = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = (await freePort(before)) ?? (await freePort(0));
  if (!port) throw new Error('No free port was found for PostgreSQL.');
  writeFileSync(file, String(port));
  return port;
}

function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** One running postmaster, watched and started again until it is told to stop. */
class Server {
  readonly #place: Place;
  /** Where it listens. */
  port: number;
  readonly #settings: Record<string, string>;
  #pid = 0;
  #isStopping = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(place: Place, port: number, settings: Record<string, string>) {
    this.#place = place;
    this.port = port;
    this.#settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: '128MB',
      ...settings,
    };
  }

  adopt({ pid, port }: { pid: number; port: number }): void {
    this.#pid = pid;
    this.port = port;
    this.#watch = setInterval(() => !isAlive(pid) && this.#restart(), 500).unref();
  }

  async start(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const child = this.#spawn();
      if (await this.#becomesReady(child)) {
        this.#pid = child.pid ?? 0;
        child.once('exit', () => this.#restart());
        child.unref();
        return;
      }
      // One that a killed shop had just started may have come first.
      const other = await awaitRunning(this.#place);
      if (other) return this.adopt(other);
      // After a killed postmaster its own children may hold the memory for a moment.
      if (attempt >= 60 || this.#isStopping) throw new Error(`PostgreSQL did not start:\n${this.#log()}`);
      await wait(250);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    if (this.#pid && isAlive(this.#pid)) process.kill(this.#pid, 'SIGINT');
    for (let tries = 0; this.#pid && isAlive(this.#pid); tries += 1) {
      if (tries === 500) process.kill(this.#pid, 'SIGQUIT');
      await wait(20);
    }
  }

  #restart(): void {
    clearInterval(this.#watch);
    if (this.#isStopping) return;
    this.start().catch((error: unknown) => process.emitWarning(String(error)));
  }

  /** In a session of its own, so that Ctrl-C in a terminal ends the shop first; its log is a file, so that it outlives a killed shop. */
  #spawn(): ChildProcess {
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(join(this.#place.dir, 'postgres.log'), 'w');
    const child = spawn(program(this.#place, 'postgres'), ['-D', this.#place.data, '-p', String(this.port), ...settings], {
      ...this.#place.runner,
      cwd: this.#place.dir,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return child;
  }

  async #becomesReady(child: ChildProcess): Promise<boolean> {
    const file = join(this.#place.data, 'postmaster.pid');
    let hasExited = false;
    child.once('exit', () => {
      hasExited = true;
    });
    child.once('error', () => {
      hasExited = true;
    });
    while (!hasExited) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
      await wait(10);
    }
    return false;
  }

  #log(): string {
    return readFileSync(join(this.#place.dir, 'postgres.log'), 'utf8').slice(-2_000);
  }
}
