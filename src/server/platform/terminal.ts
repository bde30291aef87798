import { readFileSync } from 'node:fs';

/**
 * Whether the shop was started with `nohup`, so that it outlives its terminal and npm. Node resets the ignored SIGHUP; what remains of `nohup` is a
 * write-only standard input.
 */
export function outlivesTerminal(): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & 3) === 1;
  } catch {
    return false;
  }
}
