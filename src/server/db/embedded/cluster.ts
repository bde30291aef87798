import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#server/base/ports.ts';
import { type Folder, handOver, type Place, program } from './place.ts';

/** The database's only account. */
export const USER = 'shop';

/** A database that is being made lies under such a name; it gets its own name, `data`, once it is whole. */
const UNFINISHED = /^making-/;

const versionFile = ({ data }: Folder) => join(data, 'PG_VERSION');

/** Whether the database's files are where they should be. */
export const hasCluster = (folder: Folder): boolean => existsSync(versionFile(folder));

/** The major version of the programs, such as "18". */
function programVersion(place: Place): string {
  const { stdout, stderr, error } = spawnSync(program(place, 'postgres'), ['--version'], { ...place.runner, encoding: 'utf8' });
  const version = /\) (\d+)/.exec(stdout ?? '')?.[1];
  if (!version) throw new Error(`The embedded PostgreSQL cannot be run: ${error?.message ?? stderr}`);
  return version;
}

/** Throws an Error with what to do when the files are those of another major version, which PostgreSQL cannot read. */
function checkVersion(place: Place): void {
  const made = readFileSync(versionFile(place), 'utf8').trim();
  const ours = programVersion(place);
  if (made === ours) return;
  throw new Error(
    `The database in ${place.data} was made by PostgreSQL ${made}; this version of the shop comes with PostgreSQL ${ours}, which cannot read it. Nothing was changed.
Bring it over: with the version of the shop that you used before, run: npm run backup -- shop.backup
Then, with this version and a new folder, run: SHOP_DATA_DIR=new-folder npm run restore -- shop.backup`,
  );
}

/**
 * Makes the database where there is none yet, beside its place first, so that one with its name is always whole. Files that are there are
 * never deleted. Throws an Error with a sentence for the operator when they are no database of this version.
 */
export function makeCluster(place: Place, password: string, onProgress: (text: string) => void): void {
  // What an interrupted first start left was never a database that ran.
  for (const name of readdirSync(place.dir).filter((entry) => UNFINISHED.test(entry)))
    rmSync(join(place.dir, name), { recursive: true, force: true });
  if (hasCluster(place)) {
    checkVersion(place);
    return;
  }
  if (existsSync(place.data)) {
    if (readdirSync(place.data).length > 0)
      throw new Error(
        `The folder ${place.data} holds files, but no database (there is no PG_VERSION in it). Nothing was changed. Bring the missing files back, or move the folder away and start again to get a new database.`,
      );
    rmdirSync(place.data);
  }
  onProgress('Making a database: PostgreSQL, under the data folder');
  runInitdb(place, password);
}

function runInitdb(place: Place, password: string): void {
  const making = join(place.dir, `making-${process.pid}`);
  // initdb reads the password from a file, under its own account.
  const passwordFile = join(place.dir, `making-password-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(passwordFile, place.runner);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const access = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const result = spawnSync(program(place, 'initdb'), ['-D', making, ...locale, ...access], {
    ...place.runner,
    cwd: place.dir,
    encoding: 'utf8',
  });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    rmSync(making, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not make its database:\n${result.stderr ?? result.error?.message}`);
  }
  renameSync(making, place.data);
}

const passwordFile = ({ dir }: Folder) => join(dir, 'password');

/** The password of last time; undefined when the file is missing or holds something else. */
export function readPassword(folder: Folder): string | undefined {
  const text = existsSync(passwordFile(folder)) ? readFileSync(passwordFile(folder), 'utf8').trim() : '';
  return /^[\w-]{16,200}$/.test(text) ? text : undefined;
}

/** Makes a new password and writes it down. */
export function makePassword(folder: Folder): string {
  const password = randomBytes(24).toString('base64url');
  const part = `${passwordFile(folder)}.part`;
  writeFileSync(part, password, { mode: 0o600 });
  renameSync(part, passwordFile(folder));
  return password;
}

/** Gives the database's account this password, without knowing the one before. Only while no server runs on the files. */
export function setPassword(place: Place, password: string): void {
  const result = spawnSync(program(place, 'postgres'), ['--single', '-D', place.data, 'postgres'], {
    ...place.runner,
    cwd: place.dir,
    input: `alter role ${USER} password '${password}'\n`,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`PostgreSQL could not be given a new password:\n${result.stderr ?? result.error?.message}`);
}

/** The port of last time when it is free, else any. What is no port counts as none. */
export async function choosePort({ dir }: Folder): Promise<number> {
  const file = join(dir, 'port');
  const before = Number(existsSync(file) ? /^\d{1,5}$/.exec(readFileSync(file, 'utf8').trim())?.[0] : 0);
  const port = await freePort(before >= 1_024 && before <= 65_535 ? before : 0);
  writeFileSync(file, String(port));
  return port;
}
