import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time in milliseconds, of a program and of the PostgreSQL that it started. */
export interface Cpu {
  server: number;
  database: number;
}

/** The clock of /proc counts hundredths of a second. */
const TICK_MS = 10;

interface Process {
  parent: number;
  name: string;
  ms: number;
}

/** A process as /proc describes it, with the time of its children that have ended. Undefined when it has just gone. */
function readProcess(pid: string): Process | undefined {
  try {
    const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    // The fields after the name: the state, the parent, …, and from the twelfth the times of the process and of its ended children, as user and as system.
    const fields = rest.split(' ').map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { parent: fields[1] ?? 0, name, ms: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}

/** What a process and all its descendants have used since they started. */
export function cpuOf(pid: number): Cpu {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const found = readProcess(name);
    if (found) processes.set(Number(name), found);
  }
  const belongs = (id: number): boolean => id === pid || (processes.has(id) && belongs(processes.get(id)?.parent ?? 0));
  const used: Cpu = { server: 0, database: 0 };
  for (const [id, { name, ms }] of processes) if (belongs(id)) used[name.startsWith('postgres') ? 'database' : 'server'] += ms;
  return used;
}

/** The process of the embedded PostgreSQL in a shop's data folder. */
export const postmasterOf = (dir: string): number =>
  Number(readFileSync(join(dir, 'postgres/cluster/data/postmaster.pid'), 'utf8').split('\n')[0]);

/** Processor time of a program for one request, averaged over a number of them. */
export function cpuEach(before: Cpu, after: Cpu, requests: number): Cpu {
  return { server: (after.server - before.server) / requests, database: (after.database - before.database) / requests };
}
