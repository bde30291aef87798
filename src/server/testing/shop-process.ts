import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** The built shop as a process of its own. */
export interface ShopProcess {
  url: string;
  pid: number;
  /** Everything that it has printed. */
  output(): string;
  /** Ends it at once, as `kill -9` or a failing machine does. */
  kill(): Promise<void>;
  /** Ends it as a service manager does; returns its exit code. */
  stop(): Promise<number | null>;
}

/** What `deploy/` sets for every process: few arenas of the C library, which keeps what each of many has freed. */
export const AS_DEPLOYED = { MALLOC_ARENA_MAX: '2' };
/** And the bound on JavaScript memory, as `npm start` does. */
const HEAP = ['--max-old-space-size=384'];

/** Ends a process as a service manager does, and waits for it. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** With a pipe as standard input, it ends the shop when its parent ends, even if killed. */
const ATTACHED = ['--import', join(ROOT, 'scripts/attached.mjs')];

/**
 * Starts `dist/server/main.js`, with these settings and no others, and waits until the shop is open. `release` is the folder of its version.
 * Throws an Error with its output if it ends before.
 */
export async function startShop(port: number, settings: Record<string, string>, release = ROOT): Promise<ShopProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(process.execPath, [...HEAP, ...ATTACHED, join(release, 'dist/server/main.js')], {
    cwd: release,
    env: { PATH, HOME, ...AS_DEPLOYED, LOG_LEVEL: 'warn', PORT: String(port), ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        output += bytes;
        if (output.includes('The shop is open')) resolve();
      });
    void exited.then((code) => reject(new Error(`The shop ended with ${code}:\n${output}`)));
  });
  const end = (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
