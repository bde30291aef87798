import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A system stores the path of a socket in a field of 104 to 108 bytes. */
const LONGEST = 103;

const pathOf = (dir: string, port: number) => join(dir, `.s.PGSQL.${port}`);

/**
 * The folder of the socket by which the shop reaches its PostgreSQL at a third less processor time than over the loopback address: that of the database,
 * which only its account may enter. Empty on Windows and where the path is too long: then there is the loopback address.
 */
export const socketFolder = (dir: string): string =>
  process.platform === 'win32' || Buffer.byteLength(pathOf(dir, 65_535)) > LONGEST ? '' : dir;

/**
 * Removes the socket that a killed PostgreSQL left. PostgreSQL takes it for one in use where another process was given the pid in its lock file.
 * `isServer` says whether a pid is the PostgreSQL of this folder.
 */
export function removeStaleSocket(dir: string, port: number, isServer: (pid: number) => boolean): void {
  const lock = `${pathOf(dir, port)}.lock`;
  if (!existsSync(lock) || isServer(Number.parseInt(readFileSync(lock, 'utf8'), 10))) return;
  for (const file of [lock, pathOf(dir, port)]) rmSync(file, { force: true });
}
