import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** Two versions of the shop, built: folders in which `dist/server/main.js` runs. */
export interface Releases {
  old: string;
  new: string;
}

/** Migrations of a made-up later version: a column, its filling, and an index of a busy table. */
const LATER: Record<string, string> = {
  '9990_rehearsed_column.sql': "alter table orders add column rehearsed text not null default '';\n",
  '9991_rehearsed_fill.sql': "-- no transaction\nupdate orders set rehearsed = 'before' where rehearsed = '';\n",
  '9992_rehearsed_index.sql':
    '-- no transaction\ndrop index concurrently if exists orders_rehearsed;\ncreate index concurrently orders_rehearsed on orders (rehearsed, created_at);\n',
};

/** The names of the migrations that a folder's version knows. */
export const migrationsIn = (release: string): string[] =>
  readdirSync(join(release, 'migrations'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''));

/** This version with migrations of a later one. */
function laterRelease(dir: string): string {
  mkdirSync(dir);
  for (const name of readdirSync(ROOT)) {
    // Copied where a file finds its own folder; linked where that does not matter.
    if (['dist', 'migrations', 'package.json'].includes(name)) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
    else if (['node_modules', 'config', 'demo', 'public'].includes(name)) symlinkSync(join(ROOT, name), join(dir, name));
  }
  for (const [file, text] of Object.entries(LATER)) writeFileSync(join(dir, 'migrations', file), text);
  return dir;
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** The version of a commit, fetched from this repository and built. */
function releaseOf(commit: string, dir: string): string {
  mkdirSync(dir);
  run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, dir], ROOT);
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(dir) === lock(ROOT)) run('cp', ['-a', join(ROOT, 'node_modules'), join(dir, 'node_modules')], ROOT);
  else run('npm', ['ci', '--no-audit', '--no-fund'], dir);
  run(process.execPath, ['scripts/build.mjs'], dir);
  return dir;
}

/** The version of `commit` and this one. Without a commit: this version, and the same with migrations that a later one may bring. */
export function makeReleases(dir: string, commit: string | undefined): Releases {
  return commit ? { old: releaseOf(commit, join(dir, 'old')), new: ROOT } : { old: ROOT, new: laterRelease(join(dir, 'new')) };
}
