import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './processes.ts';

/** The lock file of a data folder: the pid of the process that uses the folder and when that process started, one a line. */
const fileOf = (dir: string) => join(dir, 'owner');
const lockTextOf = (pid: number) => `${pid}\n${startOf(pid)}\n`;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The running process that a lock file's text names; undefined when it names none, or the pid belongs to another process by now. */
function ownerOfLock(text: string | undefined): number | undefined {
  const pid = Number(/^[1-9]\d{0,9}(?=\n)/.exec(text ?? '')?.[0]);
  return pid && isAlive(pid) && text === lockTextOf(pid) ? pid : undefined;
}

/** The pid of another running process that uses the folder. */
export function ownerOf(dir: string): number | undefined {
  const owner = ownerOfLock(read(fileOf(dir)));
  return owner === process.pid ? undefined : owner;
}

/** Creates a file with all of its text in one step. Returns false, and changes nothing, when the file exists. */
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

/** Removes a stale lock file. If another process has replaced it in the meantime, that one is put back. */
function removeStale(dir: string, stale: string | undefined): void {
  const aside = join(dir, `owner.${randomUUID()}`);
  try {
    renameSync(fileOf(dir), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  const moved = read(aside);
  if (moved !== stale && moved !== undefined) createAtomically(fileOf(dir), moved);
  rmSync(aside, { force: true, recursive: true });
}

/**
 * Locks the folder for this process; of several that try at once, one succeeds. A lock of a process that no longer runs is replaced. Throws an Error
 * with a sentence for the operator while another running shop uses the folder.
 */
export function claim(dir: string): void {
  for (;;) {
    if (createAtomically(fileOf(dir), lockTextOf(process.pid))) return;
    const text = read(fileOf(dir));
    const owner = ownerOfLock(text);
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
  if (read(fileOf(dir)) === lockTextOf(process.pid)) rmSync(fileOf(dir), { force: true });
}
