import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { equip, findFolder, program } from '#server/db/embedded/place.ts';
import { eventually } from './eventually.ts';

/** A streaming replica of an embedded PostgreSQL. */
export interface Standby {
  url: string;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const LEFT_OUT = new Set(['pg_wal', 'pg_replslot', 'postmaster.pid', 'postmaster.opts']);

/** Copies a primary's files while it runs, and starts a PostgreSQL on them that follows it. */
export async function startStandby(primaryUrl: string, dir: string, port: number): Promise<Standby> {
  const place = equip(findFolder(dir));
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  const source = String((await primary.query('show data_directory')).rows[0]?.data_directory);
  await primary.query("select pg_backup_start('standby', true)");
  cpSync(source, place.data, { recursive: true, filter: (file) => !LEFT_OUT.has(basename(file)) });
  const { labelfile } = (await primary.query('select labelfile from pg_backup_stop()')).rows[0] as { labelfile: string };
  await primary.end();
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  for (const name of ['pg_wal', 'pg_replslot']) mkdirSync(join(place.data, name), { mode: 0o700 });
  writeFileSync(join(place.data, 'backup_label'), labelfile);
  writeFileSync(join(place.data, 'standby.signal'), '');
  writeFileSync(
    join(place.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${primaryPort} user=${username} password=${password}'\n`,
  );
  if (place.runner.uid !== undefined && place.runner.gid !== undefined) {
    for (const name of ['.', ...(readdirSync(place.data, { recursive: true }) as string[])])
      chownSync(join(place.data, name), place.runner.uid, place.runner.gid);
  }
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href;
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'];
  let child = launch();
  function launch() {
    rmSync(join(place.data, 'postmaster.pid'), { force: true });
    return spawn(program(place, 'postgres'), ['-D', place.data, ...settings], { ...place.runner, cwd: place.dir, stdio: 'ignore' });
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
