import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** How a command ended, and what it wrote to its two outputs. */
export interface Ending {
  code: number;
  output: string;
  complaint: string;
}

interface Options {
  seconds?: number;
  /** What is typed at the command's question: asked with all that it has written, until it says something. */
  answer?: (output: string) => string | undefined;
}

/** Runs a command of the built shop, such as `admin`, as an operator would: a process of its own, with these settings and no others. */
export function runCommand(
  name: string,
  args: string[],
  env: Record<string, string>,
  { seconds = 180, answer }: Options = {},
): Promise<Ending> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: ROOT, env: { PATH, HOME, ...env }, timeout: seconds * 1_000 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(ROOT, 'dist/server', `${name}.js`), ...args], options, (error, output, complaint) =>
      resolve({ code: error ? Number(error.code) : 0, output: output.trim(), complaint: complaint.trim() }),
    );
    if (!answer) {
      child.stdin?.end();
      return;
    }
    let said = '';
    child.stdout?.on('data', (text: string) => {
      said += text;
      const line = answer(said);
      if (line !== undefined && !child.stdin?.writableEnded) child.stdin?.end(`${line}\n`);
    });
  });
}
