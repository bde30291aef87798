import { readFileSync } from 'node:fs';

/**
 * Whether the shop goes on when its terminal is closed, or when the npm that started it ends: it was started with `nohup`. Node itself forgets
 * that `nohup` has had SIGHUP ignored; what remains is a standard input that can only be written to, which nothing else gives a program.
 */
export function outlivesTerminal(): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & 3) === 1;
  } catch {
    return false;
  }
}
