import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { choosePort, hasCluster } from './cluster.ts';
import { type Folder, type Place, program } from './place.ts';
import { commandOf, isAlive } from './processes.ts';

/** Why a PostgreSQL that has ended could not be started again, and whether that can change without anybody doing something to its files. */
export interface Trouble {
  reason: string;
  mendsItself: boolean;
}

/** Hears of each start that fails, and with undefined once PostgreSQL runs again. */
export type OnTrouble = (trouble: Trouble | undefined) => void;

interface Running {
  pid: number;
  port: number;
}

const FIRST_ATTEMPTS = 60;
const AGAIN_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** After a killed postmaster its own children may hold the memory for a moment: so many failed starts are nothing to speak of. */
const QUIET_ATTEMPTS = 8;

/** The server of this very folder, when it is still running from before; a pid file that names anything else is removed. */
export function findRunning({ data }: Folder): Running | undefined {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const isOurs = pid > 0 && isAlive(pid) && commandOf(pid).includes(data);
  if (isOurs && lines[7]?.trim() === 'ready') return { pid, port };
  if (!isOurs) rmSync(file, { force: true });
  return undefined;
}

/** The same, once one that is just starting or stopping has done so. */
export async function awaitRunning(folder: Folder): Promise<Running | undefined> {
  for (;;) {
    const running = findRunning(folder);
    if (running || !existsSync(join(folder.data, 'postmaster.pid'))) return running;
    await wait(50);
  }
}

/** One running postmaster, watched and started again until it is told to stop, however long that takes. */
export class Server {
  readonly #place: Place;
  readonly #settings: Record<string, string>;
  readonly #onTrouble: OnTrouble;
  #port = 0;
  #pid = 0;
  #isStopping = false;
  #watch: NodeJS.Timeout | undefined;
  #restarting: Promise<void> = Promise.resolve();
  #reason = '';

  constructor(place: Place, settings: Record<string, string>, onTrouble: OnTrouble) {
    this.#place = place;
    this.#onTrouble = onTrouble;
    this.#settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: '128MB',
      ...settings,
    };
  }

  /** Where it listens, for as long as this process lives. */
  get port(): number {
    return this.#port;
  }

  /** Watches over one that runs already. */
  adopt({ pid, port }: Running): void {
    this.#pid = pid;
    this.#port = port;
    this.#watch = setInterval(() => !isAlive(pid) && this.#restart(), 500).unref();
  }

  /** Starts it for the first time. Throws an Error with PostgreSQL's own words when that does not succeed within some fifteen seconds. */
  async start(): Promise<void> {
    for (let attempt = 0; attempt < FIRST_ATTEMPTS; attempt += 1) {
      // Chosen each time: another program may take it before PostgreSQL does.
      this.#port = await choosePort(this.#place);
      if (await this.#attempt()) return;
      await wait(AGAIN_MS);
    }
    throw new Error(`PostgreSQL did not start:\n${this.#reason}`);
  }

  /** Stops it: what is under way is broken off, and what is written is kept. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    await this.#restarting;
    if (this.#pid && isAlive(this.#pid)) process.kill(this.#pid, 'SIGINT');
    for (let tries = 0; this.#pid && isAlive(this.#pid); tries += 1) {
      if (tries === 500) process.kill(this.#pid, 'SIGQUIT');
      await wait(20);
    }
  }

  #restart(): void {
    clearInterval(this.#watch);
    this.#restarting = this.#startAgain();
  }

  /** Tries until it runs: what stands in the way, such as a full disk or a port that another program took, may be gone tomorrow. */
  async #startAgain(): Promise<void> {
    for (let attempt = 0; !this.#isStopping; attempt += 1) {
      if (await this.#attempt()) {
        if (attempt > QUIET_ATTEMPTS) this.#onTrouble(undefined);
        return;
      }
      if (attempt >= QUIET_ATTEMPTS) this.#onTrouble({ reason: this.#reason, mendsItself: this.#hasFiles() });
      await wait(Math.min(AGAIN_MS * 2 ** Math.max(0, attempt - QUIET_ATTEMPTS), LONGEST_PAUSE_MS), undefined, { ref: false });
    }
  }

  #hasFiles(): boolean {
    return hasCluster(this.#place) && existsSync(program(this.#place, 'postgres'));
  }

  /** Starts it once. Returns whether it runs; else `#reason` says why not. */
  async #attempt(): Promise<boolean> {
    try {
      const child = this.#spawn();
      if (await this.#becomesReady(child)) {
        this.#pid = child.pid ?? 0;
        child.once('exit', () => this.#isStopping || this.#restart());
        child.unref();
        return true;
      }
      // One that a killed shop had just started may have come first.
      const other = await awaitRunning(this.#place);
      if (other) this.adopt(other);
      else this.#reason = readFileSync(this.#logFile, 'utf8').trim().slice(-2_000);
      return other !== undefined;
    } catch (error) {
      this.#reason = String(error);
      return false;
    }
  }

  get #logFile(): string {
    return join(this.#place.dir, 'postgres.log');
  }

  /** In a session of its own, so that Ctrl-C in a terminal ends the shop first; its log is a file, so that it outlives a killed shop. */
  #spawn(): ChildProcess {
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(this.#logFile, 'w');
    try {
      return spawn(program(this.#place, 'postgres'), ['-D', this.#place.data, '-p', String(this.#port), ...settings], {
        ...this.#place.runner,
        cwd: this.#place.dir,
        detached: true,
        stdio: ['ignore', log, log],
      });
    } finally {
      closeSync(log);
    }
  }

  async #becomesReady(child: ChildProcess): Promise<boolean> {
    const file = join(this.#place.data, 'postmaster.pid');
    let hasEnded = false;
    for (const event of ['exit', 'error'])
      child.once(event, () => {
        hasEnded = true;
      });
    while (!hasEnded) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
      if (this.#isStopping) child.kill('SIGINT');
      await wait(10);
    }
    return false;
  }
}
