/** Milliseconds of processor time that a piece of work takes in this process: what else the machine does meanwhile does not count. */
export function cpuMsOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
