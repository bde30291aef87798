import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Everything lies in this folder, in memory, and is gone with the namespace. */
export const FILES = '/mnt';
/** The machine in front: nginx, the payment provider, object storage, the mail server and the people. */
export const FRONT = '10.77.0.1';

/** What a game day calls outside the shop, and the Debian package that has it. */
const PROGRAMS = {
  unshare: 'util-linux',
  ip: 'iproute2',
  nft: 'nftables',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  pgbackrest: 'pgbackrest',
  faketime: 'faketime',
};

/** Throws an Error that names the packages that are missing. */
export function checkPrograms(): void {
  if (process.getuid?.() !== 0) throw new Error('A game day makes network namespaces, for which it must be root.');
  const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { env: PATHS }).status === 0;
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isThere(program));
  if (missing.length > 0) throw new Error(`Not installed: apt-get install ${missing.map(([, name]) => name).join(' ')} (docs/cluster.md)`);
}

const PATHS = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin` };

/** Runs a command to its end. Throws an Error with what it said. */
export const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', env: PATHS, stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * Runs this program again in namespaces of its own for processes, mounts and networks. When it ends, however it ends, the kernel ends every process inside
 * and takes down every interface and mount. Returns its exit code.
 */
export async function inNamespaces(argv: string[]): Promise<number> {
  const own = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];
  // The first process of a namespace must take in those whose parents have ended, which Node does not: Patroni would wait for a PostgreSQL that is gone.
  const shell = ['sh', '-c', '"$@"; exit $?', 'sh', process.execPath, ...process.execArgv, ...argv];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...own, '--', ...shell], {
    env: { ...process.env, ...PATHS, GAME_DAY_INSIDE: '1' },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Lays out the network and the memory in which everything lies. */
export function layNetwork(): void {
  run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', FILES);
  // The network namespaces' names, and what programs write while they run.
  run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', '/run');
  run('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'none', '/dev/shm');
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'game', 'type', 'bridge');
  run('ip', 'addr', 'add', `${FRONT}/24`, 'dev', 'game');
  run('ip', 'link', 'set', 'game', 'up');
}

/** A machine: a network namespace with an address, and processes in it. */
export class Host {
  readonly name: string;
  readonly address: string;
  readonly #running = new Map<string, ChildProcess>();
  #isOff = false;

  constructor(name: string, address: string) {
    this.name = name;
    this.address = address;
    run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', `to-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    run('ip', 'link', 'set', `to-${name}`, 'master', 'game', 'up');
    this.#inside('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    this.#inside('ip', 'link', 'set', 'eth0', 'up');
    this.#inside('ip', 'link', 'set', 'lo', 'up');
    for (const line of [
      'add table inet cut',
      'add set inet cut away { type ipv4_addr; }',
      'add chain inet cut in { type filter hook input priority 0; }',
      'add chain inet cut out { type filter hook output priority 0; }',
      'add rule inet cut in ip saddr @away drop',
      'add rule inet cut out ip daddr @away drop',
    ])
      this.#inside('nft', line);
  }

  #inside(...command: string[]): string {
    return run('ip', 'netns', 'exec', this.name, ...command);
  }

  /** Neither side hears the other any more; packets vanish, as in a broken switch. */
  cutFrom(...others: Host[]): void {
    this.#inside('nft', `add element inet cut away { ${others.map(({ address }) => address).join(', ')} }`);
  }

  /** Takes the cable out. */
  unplug(): void {
    run('ip', 'link', 'set', `to-${this.name}`, 'down');
  }

  heal(): void {
    this.#inside('nft', 'flush set inet cut away');
    run('ip', 'link', 'set', `to-${this.name}`, 'up');
  }

  /** Starts a program on this machine, as `user`, with its output in a file. */
  start(name: string, user: string, command: string[], env: Record<string, string> = {}): ChildProcess {
    this.#isOff = false;
    const output = openSync(`${FILES}/${this.name}-${name}.log`, 'a');
    const child = spawn(
      'ip',
      ['netns', 'exec', this.name, 'setpriv', '--reuid', user, '--regid', user, '--init-groups', '--', ...command],
      { cwd: '/', env: { PATH: PATHS.PATH, HOME: '/', LANG: 'C.UTF-8', ...env }, stdio: ['ignore', output, output] },
    );
    this.#running.set(name, child);
    return child;
  }

  pid(name: string): number {
    const child = this.#running.get(name);
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} does not run on ${this.name}.`);
    return child.pid;
  }

  /** Ends a program and waits for it. */
  async end(name: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** The ids of every process on this machine. */
  pids(): number[] {
    return run('ip', 'netns', 'pids', this.name).split('\n').filter(Boolean).map(Number);
  }

  /** Stops the clock of every process: a machine that is paused, moved or swapping to death. */
  freeze(pids = this.pids()): void {
    signal(pids, 'SIGSTOP');
  }

  thaw(pids = this.pids()): void {
    signal(pids, 'SIGCONT');
  }

  /** Pulls the plug: every process is gone at once. What it had written stays. */
  async powerOff(): Promise<void> {
    this.#isOff = true;
    for (let n = 0; n < 50 && this.pids().length > 0; n += 1) {
      signal(this.pids(), 'SIGKILL');
      await setTimeout(50);
    }
  }

  get isOff(): boolean {
    return this.#isOff;
  }
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended by itself.
    }
  }
}
