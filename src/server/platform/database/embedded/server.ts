import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { choosePort, hasCluster } from './cluster.ts';
import { type Folder, type Installation, program } from './installation.ts';
import { commandOf, isAlive } from './processes.ts';
import { removeStaleSocket, socketFolder } from './socket.ts';

/** Why a restart failed. `mendsItself` is false if files are missing, which a person must restore. */
export interface Trouble {
  reason: string;
  mendsItself: boolean;
}

/** Called for each failed restart, and with undefined once PostgreSQL runs again. */
export type OnTrouble = (trouble: Trouble | undefined) => void;

interface Running {
  pid: number;
  port: number;
  /** The folder of its socket; empty if it has none. */
  socket: string;
}

const FIRST_ATTEMPTS = 60;
const AGAIN_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** The first failures are not reported: the children of a killed postmaster may hold its shared memory for a moment. */
const QUIET_ATTEMPTS = 8;

/** A pid that no process can have. */
const NO_PID = 2_147_483_647;

/** Whether the lines of `postmaster.pid` say that the server accepts connections. */
const isReady = (lines: readonly string[]) => lines[7]?.trim() === 'ready';

/** Whether a process is the PostgreSQL of this folder, not one that merely names it, such as `tar`. */
const isServerOf = (pid: number, data: string): boolean => {
  const plain = (command: string) => command.replaceAll('"', '').replace('postgres.exe', 'postgres');
  return isAlive(pid) && plain(commandOf(pid)).includes(plain(`postgres -D ${data} `));
};

/**
 * The server that runs on this folder, or `busy` while it starts or stops. PostgreSQL itself deals with the pid file of an ended process, whose shared
 * memory its children may still use. If another program has the pid now, only the pid is replaced in the file.
 */
function lookForServer({ data }: Folder): Running | 'busy' | undefined {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port, socket = ''] = [Number(lines[0]), Number(lines[3]), lines[4]];
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  if (isServerOf(pid, data)) return isReady(lines) ? { pid, port, socket } : 'busy';
  writeFileSync(file, [NO_PID, ...lines.slice(1)].join('\n'));
  return undefined;
}

/** The ready server of this folder. */
export function findRunning(folder: Folder): Running | undefined {
  const found = lookForServer(folder);
  return found === 'busy' ? undefined : found;
}

/** The ready server of this folder, after waiting for one that starts or stops. */
export async function awaitRunning(folder: Folder): Promise<Running | undefined> {
  for (;;) {
    const found = lookForServer(folder);
    if (found !== 'busy') return found;
    await wait(50);
  }
}

/** Supervises a PostgreSQL: restarts it whenever it ends, until `stop`. */
export class Server {
  readonly #installation: Installation;
  readonly #settings: Record<string, string>;
  readonly #onTrouble: OnTrouble;
  #port = 0;
  #socket: string;
  #pid = 0;
  #isStopping = false;
  #watch: NodeJS.Timeout | undefined;
  #restarting: Promise<void> = Promise.resolve();
  #reason = '';

  constructor(installation: Installation, settings: Record<string, string>, onTrouble: OnTrouble) {
    this.#installation = installation;
    this.#onTrouble = onTrouble;
    this.#socket = socketFolder(installation.dir);
    this.#settings = {
      listen_addresses: '127.0.0.1',
      // The setting is a list, so the entry is quoted.
      unix_socket_directories: this.#socket && `"${this.#socket.replaceAll('"', '""')}"`,
      max_connections: '100',
      shared_buffers: '128MB',
      ...settings,
    };
  }

  /** Its port, and the folder of its socket; unchanged by restarts. */
  get place(): Omit<Running, 'pid'> {
    return { port: this.#port, socket: this.#socket };
  }

  /** Supervises a server that already runs: by polling, since it is no child of this process. */
  adopt({ pid, port, socket }: Running): void {
    this.#pid = pid;
    this.#port = port;
    this.#socket = socket;
    this.#watch = setInterval(() => !isAlive(pid) && this.#restart(), 500).unref();
  }

  /** The first start. Throws an Error with PostgreSQL's log if all attempts fail, by default after 15 s. */
  async start(attempts = FIRST_ATTEMPTS): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // Another program may take a free port before PostgreSQL does.
      this.#port = await choosePort(this.#installation);
      if (await this.#attempt()) return;
      await wait(AGAIN_MS);
    }
    throw new Error(`PostgreSQL did not start:\n${this.#reason}`);
  }

  /** Stops it by a fast shutdown, which cancels running statements and keeps committed data. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    await this.#restarting;
    if (this.#pid && isAlive(this.#pid)) process.kill(this.#pid, 'SIGINT');
    for (let tries = 0; this.#pid && isAlive(this.#pid); tries += 1) {
      // After 10 s: an immediate shutdown, after which the next start recovers from the WAL.
      if (tries === 500) process.kill(this.#pid, 'SIGQUIT');
      await wait(20);
    }
  }

  #restart(): void {
    clearInterval(this.#watch);
    this.#restarting = this.#startAgain();
  }

  /** Retries without end: the cause, such as a full disk or a taken port, may go away at any time. */
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
    return hasCluster(this.#installation) && existsSync(program(this.#installation, 'postgres'));
  }

  /** Returns whether a start succeeded; else sets `#reason`. */
  async #attempt(): Promise<boolean> {
    try {
      const child = this.#spawn();
      if (await this.#becomesReady(child)) {
        this.#pid = child.pid ?? 0;
        child.once('exit', () => this.#isStopping || this.#restart());
        child.unref();
        return true;
      }
      // A killed shop may have started a server just before.
      const other = await awaitRunning(this.#installation);
      if (other) this.adopt(other);
      else this.#reason = readFileSync(this.#logFile, 'utf8').trim().slice(-2_000);
      return other !== undefined;
    } catch (error) {
      this.#reason = String(error);
      return false;
    }
  }

  get #logFile(): string {
    return join(this.#installation.dir, 'postgres.log');
  }

  /** Detached, so that Ctrl-C reaches only the shop, which then stops it. It logs to a file: a pipe would break if the shop is killed. */
  #spawn(): ChildProcess {
    removeStaleSocket(this.#installation.dir, this.#port, (pid) => isServerOf(pid, this.#installation.data));
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(this.#logFile, 'w');
    try {
      return spawn(program(this.#installation, 'postgres'), ['-D', this.#installation.data, '-p', String(this.#port), ...settings], {
        ...this.#installation.account,
        cwd: this.#installation.dir,
        detached: true,
        stdio: ['ignore', log, log],
      });
    } finally {
      closeSync(log);
    }
  }

  async #becomesReady(child: ChildProcess): Promise<boolean> {
    const file = join(this.#installation.data, 'postmaster.pid');
    let hasEnded = false;
    for (const event of ['exit', 'error'])
      child.once(event, () => {
        hasEnded = true;
      });
    while (!hasEnded) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      if (Number(lines[0]) === child.pid && isReady(lines)) return true;
      if (this.#isStopping) child.kill('SIGINT');
      await wait(10);
    }
    return false;
  }
}
