import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#server/platform/ports.ts';
import { type Folder, handOver, type Installation, program } from './installation.ts';

/** The database's only account. */
export const USER = 'shop';

/** The name of initdb's folder, which is renamed to `data` when it is complete. */
const UNFINISHED = /^making-/;

const versionFile = ({ data }: Folder) => join(data, 'PG_VERSION');

export const hasCluster = (folder: Folder): boolean => existsSync(versionFile(folder));

/** The major version of the programs, such as "18", from `postgres (PostgreSQL) 18.1`. */
function programVersion(installation: Installation): string {
  const { stdout, stderr, error } = spawnSync(program(installation, 'postgres'), ['--version'], {
    ...installation.account,
    encoding: 'utf8',
  });
  const version = /\) (\d+)/.exec(stdout ?? '')?.[1];
  if (!version) throw new Error(`The embedded PostgreSQL cannot be run: ${error?.message ?? stderr}`);
  return version;
}

/** Throws an Error with instructions if the files are of another major version, which PostgreSQL cannot read. */
function checkVersion(installation: Installation): void {
  const dataVersion = readFileSync(versionFile(installation), 'utf8').trim();
  const ownVersion = programVersion(installation);
  if (dataVersion === ownVersion) return;
  throw new Error(
    `The database in ${installation.data} was made by PostgreSQL ${dataVersion}; this version of the shop comes with PostgreSQL ${ownVersion}, which cannot read it. Nothing was changed.
Bring it over: with the version of the shop that you used before, run: npm run backup -- shop.backup
Then, with this version and a new folder, run: SHOP_DATA_DIR=new-folder npm run restore -- shop.backup`,
  );
}

/**
 * Creates the database unless it exists, and calls `onNew` with a promise of its completion. It is created in another folder and renamed, so that `data` is
 * always complete. Existing files are never deleted. Throws an Error for the operator if they are not a database of this version.
 */
export async function makeCluster(installation: Installation, password: string, onNew: (made: Promise<void>) => void): Promise<void> {
  // Left by an interrupted first start; no PostgreSQL has run on it.
  for (const name of readdirSync(installation.dir).filter((entry) => UNFINISHED.test(entry)))
    rmSync(join(installation.dir, name), { recursive: true, force: true });
  if (hasCluster(installation)) {
    checkVersion(installation);
    return;
  }
  if (existsSync(installation.data)) {
    if (readdirSync(installation.data).length > 0)
      throw new Error(
        `The folder ${installation.data} holds files, but no database (there is no PG_VERSION in it). Nothing was changed. Bring the missing files back, or move the folder away and start again to get a new database.`,
      );
    rmdirSync(installation.data);
  }
  const made = runInitdb(installation, password);
  onNew(made);
  await made;
}

async function runInitdb(installation: Installation, password: string): Promise<void> {
  const making = join(installation.dir, `making-${process.pid}`);
  // initdb reads the password from a file, under its own account.
  const initFile = join(installation.dir, `making-password-${process.pid}`);
  writeFileSync(initFile, password, { mode: 0o600 });
  handOver(initFile, installation.account);
  // PostgreSQL's own order of texts: that of the system changes with its updates, and indexes of texts would then be wrong.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const access = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${initFile}`];
  try {
    const options = { ...installation.account, cwd: installation.dir };
    await promisify(execFile)(program(installation, 'initdb'), ['-D', making, ...locale, ...access], options);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`PostgreSQL could not make its database:\n${stderr || message}`);
  } finally {
    rmSync(initFile, { force: true });
  }
  renameSync(making, installation.data);
}

const passwordFile = ({ dir }: Folder) => join(dir, 'password');

/** The stored password; undefined when the file is missing or damaged. */
export function readPassword(folder: Folder): string | undefined {
  const text = existsSync(passwordFile(folder)) ? readFileSync(passwordFile(folder), 'utf8').trim() : '';
  return /^[\w-]{16,200}$/.test(text) ? text : undefined;
}

/** Creates and stores a new password. */
export function makePassword(folder: Folder): string {
  const password = randomBytes(24).toString('base64url');
  const part = `${passwordFile(folder)}.part`;
  writeFileSync(part, password, { mode: 0o600 });
  renameSync(part, passwordFile(folder));
  return password;
}

/** Resets the user's password in single-user mode. Only while no server runs on the files. */
export function setPassword(installation: Installation, password: string): void {
  const result = spawnSync(program(installation, 'postgres'), ['--single', '-D', installation.data, 'postgres'], {
    ...installation.account,
    cwd: installation.dir,
    input: `alter role ${USER} password '${password}'\n`,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`PostgreSQL could not be given a new password:\n${result.stderr ?? result.error?.message}`);
}

/** The port of the last run if it is free, else any free port, which is stored for the next run. */
export async function choosePort({ dir }: Folder): Promise<number> {
  const file = join(dir, 'port');
  const lastPort = Number(existsSync(file) ? /^\d{1,5}$/.exec(readFileSync(file, 'utf8').trim())?.[0] : 0);
  const port = await freePort(lastPort >= 1_024 && lastPort <= 65_535 ? lastPort : 0);
  writeFileSync(file, String(port));
  return port;
}
