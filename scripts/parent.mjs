/** Detects the end of the npm that started this program, so that `npm start` never leaves a shop running unnoticed. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const EVERY_MS = 500;
const SHELL = /^\S*\b(sh|bash|dash|zsh|ash)\s+-c\s/;

/** The parent and the command line of a process; undefined once it has ended. */
function lookUp(pid) {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
    } catch {
      return undefined;
    }
  }
  const found = /^\s*(\d+)\s+(.*)$/m.exec(spawnSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '');
  return found ? { parent: Number(found[1]), command: found[2] } : undefined;
}

/** Each process from this one up to npm with its parent: npm runs a script directly, or through a shell that outlives it. */
function chainToNpm() {
  const chain = [[process.pid, process.ppid]];
  const parent = lookUp(process.ppid);
  if (parent && SHELL.test(parent.command)) chain.push([process.ppid, parent.parent]);
  return chain;
}

/**
 * Sends this process SIGHUP, as a closed terminal does, once npm has ended, which shows in a new parent. Only if npm (or yarn, pnpm) has started this
 * script; a service manager or shell that starts it directly may end.
 */
export function hangUpAfterNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const chain = chainToNpm();
  const clock = setInterval(() => {
    if (chain.every(([pid, parent]) => (pid === process.pid ? process.ppid : lookUp(pid)?.parent) === parent)) return;
    clearInterval(clock);
    process.kill(process.pid, 'SIGHUP');
  }, EVERY_MS).unref();
}
