import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './processes.ts';

/** The lock file of a data folder. Its lines: the owner's pid, when that process started, and the folder's identity. */
const lockFileOf = (dir: string) => join(dir, 'owner');
const processText = (pid: number) => `${pid}\n${startOf(pid)}\n`;
const lockTextOf = (dir: string, pid: number) => `${processText(pid)}${identityOf(dir)}\n`;

/** A folder's identity, which stays when it is moved and differs in a copy. */
function identityOf(dir: string): string {
  const { dev, ino } = statSync(dir);
  return `${dev} ${ino}`;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The running process that a lock names; undefined if it has ended, even if another process has its pid now. */
function ownerOfLock(text = ''): number | undefined {
  const pid = Number(/^[1-9]\d{0,9}(?=\n)/.exec(text)?.[0]);
  return pid && isAlive(pid) && text.startsWith(processText(pid)) ? pid : undefined;
}

/** Whether this folder is a copy of the one that was locked. */
function isCopied(dir: string, text = ''): boolean {
  const [, , identity = ''] = text.split('\n');
  // Earlier versions wrote no identity.
  return identity !== '' && identity !== identityOf(dir);
}

/** The pid of another running process that uses the folder. */
export function ownerOf(dir: string): number | undefined {
  const text = read(lockFileOf(dir));
  const owner = ownerOfLock(text);
  return owner === process.pid || isCopied(dir, text) ? undefined : owner;
}

/** Creates a complete file atomically. Returns false if the file exists. */
export function createAtomically(file: string, text: string): boolean {
  const part = `${file}.${randomUUID()}`;
  writeFileSync(part, text, { mode: 0o600 });
  try {
    linkSync(part, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Removes a stale lock file. If another process has replaced it meanwhile, its file is put back. */
function removeStale(dir: string, stale: string | undefined): void {
  const aside = join(dir, `owner.${randomUUID()}`);
  try {
    renameSync(lockFileOf(dir), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  const moved = read(aside);
  if (moved !== stale && moved !== undefined) createAtomically(lockFileOf(dir), moved);
  rmSync(aside, { force: true, recursive: true });
}

/**
 * Locks the folder for this process, and replaces the lock of a process that has ended. Throws an Error for the operator if another running shop uses
 * the folder, or the folder that this one was copied from.
 */
export function claim(dir: string): void {
  for (;;) {
    if (createAtomically(lockFileOf(dir), lockTextOf(dir, process.pid))) return;
    const text = read(lockFileOf(dir));
    const owner = ownerOfLock(text);
    if (owner && isCopied(dir, text))
      throw new Error(
        `The data folder ${dir} is a copy of one that a running shop (process ${owner}) uses. A database that is copied while it runs may be damaged: take a backup instead (npm run backup), or stop that shop and copy its folder again.`,
      );
    if (owner === process.pid) return;
    if (owner)
      throw new Error(
        `Another shop (process ${owner}) already uses the data folder ${dir}. Stop it first, or set SHOP_DATA_DIR to another folder.`,
      );
    removeStale(dir, text);
  }
}

/** Removes this process's lock. */
export function release(dir: string): void {
  if (read(lockFileOf(dir)) === lockTextOf(dir, process.pid)) rmSync(lockFileOf(dir), { force: true });
}
