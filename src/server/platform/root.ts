import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'migrations'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('The shop cannot find its own folder (the one with package.json and migrations).');
  return findRoot(parent);
}

/** The folder of the project, from the sources as well as from the build. */
export const ROOT = findRoot(import.meta.dirname);
