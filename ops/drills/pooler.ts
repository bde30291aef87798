import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFolder } from '#server/platform/database/embedded/installation.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { endProcess } from '#server/testing/shop-process.ts';

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync);

/**
 * Starts PgBouncer by the shipped configuration before a PostgreSQL, with all its files in `dir`, and returns the address to reach the same database
 * through it. Throws an Error where there is no PgBouncer.
 */
export async function startPooler(dir: string, database: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (!PGBOUNCER) throw new Error('There is no PgBouncer. On Debian: apt-get install pgbouncer');
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const { account } = findFolder(dir);
  const [url, port] = [new URL(database), await freePort()];
  const [files, users] = [join(dir, 'pooler'), join(dir, 'pooler/users.txt')];
  mkdirSync(files, { mode: 0o711 });
  writeFileSync(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(users, account.uid, account.gid);
  const shipped = readFileSync(join(ROOT, 'deploy/pgbouncer.ini'), 'utf8');
  writeFileSync(
    join(files, 'pgbouncer.ini'),
    shipped
      .replace(/^shop = host=\S+ port=\d+ dbname=\S+/m, `${url.pathname.slice(1)} = host=${url.hostname} port=${url.port}`)
      .replace(/^listen_port = .*/m, `listen_port = ${port}\nunix_socket_dir =`)
      .replace(/^auth_file = .*/m, `auth_file = ${users}`),
  );
  const child = spawn(PGBOUNCER, ['-q', join(files, 'pgbouncer.ini')], { ...account, stdio: ['ignore', 'ignore', 'inherit'] });
  const pooled = Object.assign(new URL(database), { port: String(port) }).href;
  await eventually(async () => {
    const client = new pg.Client({ connectionString: pooled });
    await client.connect();
    await client.end();
  });
  return {
    url: pooled,
    stop: () => endProcess(child),
  };
}
