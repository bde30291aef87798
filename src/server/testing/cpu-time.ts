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

/**
 * How many times as long a piece of work takes with an input of twice the size: about 2 where its time grows with the size, 4 where it grows with
 * the square. What else the machine does counts little: of several attempts the shortest is taken.
 */
export async function growthOf<T>(size: number, make: (size: number) => T, work: (input: T) => unknown): Promise<number> {
  const shortest = async (input: T) => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const before = process.cpuUsage();
      for (let time = 0; time < 5; time += 1) await work(input);
      times.push(msSince(before));
    }
    return Math.min(...times);
  };
  const [one, two] = [make(size), make(2 * size)];
  await shortest(one);
  return (await shortest(two)) / (await shortest(one));
}
