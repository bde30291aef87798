/** Prints a line. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Runs a command of the terminal. An error is printed on stderr, with the usage after wrong arguments, and makes the exit code 1. The shop's own errors are
 * sentences; those of Node and of PostgreSQL have a code.
 */
export async function runCommandLine(run: () => Promise<void>, usage = ''): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUsage = code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${code && !isUsage ? 'The command failed: ' : ''}${message || code}\n${isUsage ? `\n${usage}` : ''}`);
    process.exitCode = 1;
  }
}
