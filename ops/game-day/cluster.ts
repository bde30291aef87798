import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { FILES, Host, run, signal } from './hosts.ts';

/** The version of Patroni from which a primary that thaws does not take its lock back. */
const OLDEST_PATRONI = 4;
/** A disk of a database host, in memory. */
const DISK_MB = 2_500;
const RESTART_MS = 2_000;
const SHIPPED = join(ROOT, 'deploy/cluster');

export const PASSWORD = 'change-me-5';
/** Where a host's own process reaches the primary: through PgBouncer, and past it. */
export const POOLED_URL = `postgres://shop:${PASSWORD}@127.0.0.1:6432/shop`;
export const DIRECT_URL = `postgres://shop:${PASSWORD}@127.0.0.1:5000/shop`;

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

const newest = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))[0];

/** The programs of PostgreSQL of Debian. */
function findPostgres(): string {
  const folder = '/usr/lib/postgresql';
  const version = existsSync(folder) ? newest(folder) : undefined;
  if (!version) throw new Error('There is no PostgreSQL. On Debian: apt-get install postgresql');
  return join(folder, version, 'bin');
}

/** The environment in which Patroni is found: `PATRONI_HOME` is a folder with its package unpacked. Throws an Error for a version that is refused. */
function findPatroni(): { command: string[]; env: Record<string, string>; version: string } {
  const home = process.env.PATRONI_HOME ?? '';
  const command = ['/usr/bin/python3', join(home || '/', 'usr/bin/patroni')];
  const env: Record<string, string> = home ? { PYTHONPATH: join(home, 'usr/lib/python3/dist-packages') } : {};
  const { stdout } = spawnSync(command[0] ?? '', [...command.slice(1), '--version'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', ...env },
  });
  const version = /patroni (\S+)/.exec(stdout ?? '')?.[1];
  if (!version) throw new Error('There is no Patroni. On Debian 13: apt-get install patroni; on Debian 12 see docs/cluster.md.');
  if (Number.parseInt(version, 10) < OLDEST_PATRONI && !process.env.PATRONI_REFUSED)
    throw new Error(
      `Patroni ${version} loses acknowledged orders when a frozen primary thaws. Version ${OLDEST_PATRONI} or later is needed: docs/cluster.md.`,
    );
  return { command, env, version };
}

/** A database host: etcd, and PostgreSQL under Patroni, as deploy/cluster sets them up. */
export class DatabaseHost extends Host {
  readonly dir: string;
  readonly #bin = findPostgres();
  readonly #patroni = findPatroni();

  constructor(n: number) {
    super(`db${n}`, `10.77.0.1${n}`);
    this.dir = join(FILES, this.name);
    mkdirSync(this.dir);
    run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'none', this.dir);
    run('chown', 'postgres:postgres', this.dir);
    writeFileSync(`${FILES}/${this.name}.yml`, this.#shipped('patroni.yml').replace('/var/run/postgresql', this.dir));
    writeFileSync(`${FILES}/${this.name}-pgbackrest.conf`, pgbackrestFile(this.data));
  }

  get version(): string {
    return this.#patroni.version;
  }

  get data(): string {
    return join(this.dir, 'data');
  }

  /** A file of deploy/cluster, as shipped for db1. */
  #shipped(file: string): string {
    return readFileSync(join(SHIPPED, file), 'utf8');
  }

  /** The settings of an environment file of deploy/cluster, for this host. */
  #settings(file: string): Record<string, string> {
    const lines = this.#shipped(file)
      .split('\n')
      .filter((line) => /^\w+=/.test(line));
    // The list of all members is the same on each.
    const own = (name: string, value: string) =>
      name.endsWith('INITIAL_CLUSTER') ? value : value.replaceAll('10.77.0.11', this.address).replace(/^db1$/, this.name);
    return Object.fromEntries(
      lines.map((line) => [line.split('=')[0] ?? '', own(line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1))]),
    );
  }

  startEtcd(): void {
    // A member that comes back finds its data; `new` then means nothing.
    const settings = { ...this.#settings('etcd.env'), ETCD_DATA_DIR: join(this.dir, 'etcd') };
    const child = this.start('etcd', 'postgres', ['etcd'], settings);
    // A full disk ends it; systemd starts it again, as etcd-restart.conf says.
    child.once('exit', (code) => {
      if (code) setTimeout(() => this.isOff || this.startEtcd(), RESTART_MS);
    });
  }

  startPatroni(): void {
    const [command = '', ...args] = this.#patroni.command;
    this.start('patroni', 'postgres', [command, ...args, `${FILES}/${this.name}.yml`], {
      HOME: this.dir,
      ...this.#patroni.env,
      ...this.#settings('host.env'),
      PATRONI_POSTGRESQL_DATA_DIR: this.data,
      PATRONI_POSTGRESQL_BIN_DIR: this.#bin,
      PGBACKREST_CONFIG: `${FILES}/${this.name}-pgbackrest.conf`,
      PGBACKREST_LOCK_PATH: join(this.dir, 'lock'),
    });
  }

  boot(): void {
    this.startEtcd();
    this.startPatroni();
  }

  /** PostgreSQL's processes, by the number that it wrote down itself. */
  postgres(): number[] {
    const main = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return [
      main,
      ...spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(Boolean)
        .map(Number),
    ];
  }

  /** Kills PostgreSQL with its children: one that is left would hold the shared memory. */
  killPostgres(): void {
    signal(this.postgres(), 'SIGKILL');
  }

  /** Fills the disk to the last byte. */
  fillDisk(): void {
    spawnSync('dd', ['if=/dev/zero', `of=${this.dir}/full`, 'bs=1M']);
    spawnSync('dd', ['if=/dev/zero', `of=${this.dir}/full-2`, 'bs=1k']);
  }

  emptyDisk(): void {
    for (const name of ['full', 'full-2']) rmSync(join(this.dir, name), { force: true });
  }

  /** What this host's Patroni says of the cluster. */
  async members(): Promise<Member[]> {
    const reply = await fetch(`http://${this.address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await reply.json()) as { members: Member[] }).members;
  }

  /** Calls Patroni as its operator does. */
  async ask(method: string, path: string, body: object): Promise<string> {
    const { PATRONI_RESTAPI_USERNAME: user, PATRONI_RESTAPI_PASSWORD: password } = this.#settings('host.env');
    const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`, 'content-type': 'application/json' };
    const reply = await fetch(`http://${this.address}:8008${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    return `${reply.status} ${await reply.text()}`;
  }

  /** A connection of the superuser to this host, which the caller ends. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      host: this.address,
      user: 'postgres',
      password: this.#settings('host.env').PATRONI_SUPERUSER_PASSWORD,
      database: 'postgres',
      connectionTimeoutMillis: 3_000,
      query_timeout: 60_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Asks this host as the superuser. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  /** Runs pgBackRest as the host's own timer does. */
  pgbackrest(...args: string[]): string {
    return run(
      'setpriv',
      ...[
        '--reuid',
        'postgres',
        '--regid',
        'postgres',
        '--init-groups',
        '--',
        'env',
        `PGBACKREST_CONFIG=${FILES}/${this.name}-pgbackrest.conf`,
      ],
      ...[`PGBACKREST_LOCK_PATH=${join(this.dir, 'lock')}`, 'pgbackrest', '--stanza=shop', ...args],
    );
  }

  /** PostgreSQL's own programs. */
  get bin(): string {
    return this.#bin;
  }
}

/** The shipped file with a folder in place of the bucket: the game day has no TLS. */
const pgbackrestFile = (data: string) =>
  readFileSync(join(SHIPPED, 'pgbackrest.conf'), 'utf8')
    .replace(/^repo1-type=.*/m, 'repo1-type=posix')
    .replace(/^repo1-s3-.*\n/gm, '')
    .replace(/^repo1-path=.*/m, `repo1-path=${FILES}/second-place`)
    .replace(/^pg1-path=.*/m, `pg1-path=${data}\npg1-socket-path=${join(data, '..')}`);

/** Three database hosts. */
export class Databases {
  readonly hosts = [1, 2, 3].map((n) => new DatabaseHost(n));

  async boot(): Promise<void> {
    mkdirSync(`${FILES}/second-place`);
    run('chown', 'postgres', `${FILES}/second-place`);
    for (const host of this.hosts) host.boot();
    await this.healthy(300);
    const leader = await this.leader();
    await leader.query(`create role shop login password '${PASSWORD}'`);
    await leader.query('create database shop owner shop');
    leader.pgbackrest('stanza-create');
  }

  /** The host that two of three say has the lock: one that was cut off says it of itself for a while. */
  async leader(): Promise<DatabaseHost> {
    const views = await Promise.all(this.hosts.map((host) => (host.isOff ? [] : host.members().catch(() => []))));
    const leads = views.map((members) => members.find(({ role }) => role === 'leader')?.name);
    const found = this.hosts.find(({ name }) => leads.filter((lead) => lead === name).length > this.hosts.length / 2);
    if (!found) throw new Error('No host has the lock.');
    return found;
  }

  /**
   * Resolves once every host says that one leads and both others follow it on its timeline, all at work, and every etcd too: a primary that was cut off
   * thinks so of itself. Throws an Error with what is wrong instead.
   */
  async healthy(seconds: number): Promise<void> {
    await eventually(async () => {
      const views = await Promise.all(this.hosts.map((host) => host.members()));
      const leads = views.map((members) => members.find(({ role }) => role === 'leader'));
      for (const [n, members] of views.entries()) {
        const well = members.filter(({ state, timeline }) => ['running', 'streaming'].includes(state) && timeline === leads[n]?.timeline);
        if (well.length !== this.hosts.length || leads[n]?.name !== leads[0]?.name)
          throw new Error(`The cluster is not whole for ${this.hosts[n]?.name}: ${JSON.stringify(members)}`);
      }
      for (const { name, address } of this.hosts) {
        const { ok } = await fetch(`http://${address}:2379/health`, { signal: AbortSignal.timeout(2_000) });
        if (!ok) throw new Error(`etcd on ${name} is not well.`);
      }
    }, seconds);
  }
}

/** HAProxy and PgBouncer of a shop host, as shipped. */
export async function startConnections(host: Host): Promise<void> {
  const dir = join(FILES, host.name);
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, 'users.txt'), `"shop" "${PASSWORD}"\n`);
  writeFileSync(
    join(dir, 'pgbouncer.ini'),
    readFileSync(join(SHIPPED, 'pgbouncer.ini'), 'utf8')
      .replace(/^auth_file = .*/m, `auth_file = ${dir}/users.txt`)
      .replace(/^listen_port = .*/m, '$&\nunix_socket_dir ='),
  );
  copyFileSync(join(SHIPPED, 'haproxy.cfg'), join(dir, 'haproxy.cfg'));
  host.start('haproxy', 'root', ['haproxy', '-db', '-f', join(dir, 'haproxy.cfg')]);
  host.start('pgbouncer', 'postgres', ['pgbouncer', '-q', join(dir, 'pgbouncer.ini')]);
}
