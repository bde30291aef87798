import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Systems limit the path of a socket to 104 to 108 bytes. */
const LONGEST = 103;

const pathOf = (dir: string, port: number) => join(dir, `.s.PGSQL.${port}`);

/**
 * The folder of PostgreSQL's socket, which costs a third less processor time than the loopback address: the database's own folder, which is closed to
 * other accounts. Empty on Windows and if the path is too long.
 */
export const socketFolder = (dir: string): string =>
  process.platform === 'win32' || Buffer.byteLength(pathOf(dir, 65_535)) > LONGEST ? '' : dir;

/**
 * Removes the socket of a killed PostgreSQL, which counts as in use if another process has been given its pid. `isServer` says whether a pid is the
 * PostgreSQL of this folder.
 */
export function removeStaleSocket(dir: string, port: number, isServer: (pid: number) => boolean): void {
  const lock = `${pathOf(dir, port)}.lock`;
  if (!existsSync(lock) || isServer(Number.parseInt(readFileSync(lock, 'utf8'), 10))) return;
  for (const file of [lock, pathOf(dir, port)]) rmSync(file, { force: true });
}
