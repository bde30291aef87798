import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readProc(pid, 'stat'));
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const ps = (pid: number, field: string) => spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';

/** The command line of a process; empty if unknown. */
export function commandOf(pid: number): string {
  return process.platform === 'linux' ? readProc(pid, 'cmdline').replaceAll('\0', ' ') : ps(pid, 'command');
}

/**
 * When a process started, in the system's own format; empty if unknown. Pid and start identify a process, since pids are reused.
 */
export function startOf(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'lstart').trim();
  // The second field is the command's name in brackets and may hold anything; the start is the twentieth after it.
  const stat = readProc(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
