const msSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Milliseconds of processor time that a piece of work takes in this process: what else the machine does meanwhile does not count. */
export function cpuMsOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return msSince(before);
}

/** The most milliseconds of processor time that this process uses between two turns of its event loop while a piece of work is done. */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.cpuUsage();
  const look = () => {
    longest = Math.max(longest, msSince(before));
    before = process.cpuUsage();
  };
  const looking = setInterval(look, 5);
  await work();
  clearInterval(looking);
  look();
  return longest;
}
