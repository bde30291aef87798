import { isProblem } from '#contract/platform/problem.ts';
import { Refusal } from './refusal.ts';

/** Prints a line. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Runs a command of the terminal. An error is printed on stderr, with the usage after wrong arguments, and makes the exit code 1.
 */
export async function runCommandLine(run: () => Promise<void>, usage: string): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof Refusal || isProblem(error)) process.stderr.write(`${message}\n`);
    else if (code?.startsWith('ERR_PARSE_ARGS')) process.stderr.write(`${message}\n\n${usage}`);
    else process.stderr.write(`The command failed: ${message || code}\n`);
    process.exitCode = 1;
  }
}
