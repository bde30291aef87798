import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './processes.ts';

/** The file that names the process that uses a data folder: its pid and when it started, one a line. */
const fileOf = (dir: string) => join(dir, 'owner');
const markOf = (pid: number) => `${pid}\n${startOf(pid)}\n`;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The living process that a mark names. Anything that is no mark of a living process names nobody. */
function livingOwner(mark: string | undefined): number | undefined {
  const pid = Number(/^[1-9]\d{0,9}(?=\n)/.exec(mark ?? '')?.[0]);
  return pid && isAlive(pid) && mark === markOf(pid) ? pid : undefined;
}

/** The process that uses the folder, when it is another one and lives. */
export function ownerOf(dir: string): number | undefined {
  const owner = livingOwner(read(fileOf(dir)));
  return owner === process.pid ? undefined : owner;
}

/** Creates a file whole, or not at all where one of its name exists. Returns whether it was created. */
export function createWhole(file: string, text: string): boolean {
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

/** Removes a mark that names nobody. One that another process has put there meanwhile is given back. */
function removeStale(dir: string, stale: string | undefined): void {
  const aside = join(dir, `owner.${randomUUID()}`);
  try {
    renameSync(fileOf(dir), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  const moved = read(aside);
  if (moved !== stale && moved !== undefined) createWhole(fileOf(dir), moved);
  rmSync(aside, { force: true, recursive: true });
}

/**
 * Marks the folder as this process's. Of several that try at once one succeeds. A mark left by a process that is gone is replaced, also when
 * its pid belongs to another process by now. Throws an Error with a sentence for the operator while another living shop uses the folder.
 */
export function claim(dir: string): void {
  for (;;) {
    if (createWhole(fileOf(dir), markOf(process.pid))) return;
    const mark = read(fileOf(dir));
    const owner = livingOwner(mark);
    if (owner === process.pid) return;
    if (owner)
      throw new Error(
        `Another shop (process ${owner}) already uses the data folder ${dir}. Stop it first, or set SHOP_DATA_DIR to another folder.`,
      );
    removeStale(dir, mark);
  }
}

/** Gives the folder up. */
export function release(dir: string): void {
  if (read(fileOf(dir)) === markOf(process.pid)) rmSync(fileOf(dir), { force: true });
}
