import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { findFolder, program, withPrograms } from '#server/platform/database/embedded/installation.ts';
import { eventually } from './eventually.ts';

/** A streaming replica of an embedded PostgreSQL. */
export interface Standby {
  url: string;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** What PostgreSQL asks to leave out of a base backup. */
const LEFT_OUT = new Set(['pg_wal', 'pg_replslot', 'postmaster.pid', 'postmaster.opts']);

/** Takes a base backup of a running primary and starts a streaming replica on it. */
export async function startStandby(primaryUrl: string, dir: string, port: number): Promise<Standby> {
  const installation = withPrograms(findFolder(dir));
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  const source = String((await primary.query('show data_directory')).rows[0]?.data_directory);
  await primary.query("select pg_backup_start('standby', fast => true)");
  cpSync(source, installation.data, { recursive: true, filter: (file) => !LEFT_OUT.has(basename(file)) });
  const { labelfile } = (await primary.query('select labelfile from pg_backup_stop()')).rows[0] as { labelfile: string };
  await primary.end();
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  for (const name of ['pg_wal', 'pg_replslot']) mkdirSync(join(installation.data, name), { mode: 0o700 });
  writeFileSync(join(installation.data, 'backup_label'), labelfile);
  writeFileSync(join(installation.data, 'standby.signal'), '');
  writeFileSync(
    join(installation.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${primaryPort} user=${username} password=${password}'\n`,
  );
  if (installation.account.uid !== undefined && installation.account.gid !== undefined) {
    for (const name of ['.', ...(readdirSync(installation.data, { recursive: true }) as string[])])
      chownSync(join(installation.data, name), installation.account.uid, installation.account.gid);
  }
  const url = Object.assign(new URL(primaryUrl), { port: String(port), search: '' }).href;
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'];
  let child = launch();
  function launch() {
    rmSync(join(installation.data, 'postmaster.pid'), { force: true });
    return spawn(program(installation, 'postgres'), ['-D', installation.data, ...settings], {
      ...installation.account,
      cwd: installation.dir,
      stdio: 'ignore',
    });
  }
  const ready = () =>
    eventually(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.end();
    });
  await ready();
  return {
    url,
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGQUIT');
      await gone;
    },
    async start() {
      child = launch();
      await ready();
    },
  };
}
