/**
 * `npm test`: installs, then everything that CI asks for: the types beside lint, build and generated, then unit and e2e, which a failure keeps from
 * beginning. `npm test unit e2e` runs only those. Lint also checks the documents, which needs neither a build nor PostgreSQL.
 * The stage `thorough` runs only if named: all unit tests, and the browser tests tagged `thorough`, which `npm test` leaves out.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onNode24 } from './node24.mjs';
import { build, install, ROOT, run, say } from './prepare.mjs';
import { sayResults } from './slowest.mjs';

await onNode24();
process.chdir(ROOT);
await install();

const tool = (path) => join(ROOT, 'node_modules', path);
const nodeWith = (env, ...args) =>
  run(process.execPath, ['--import', './scripts/attached.mjs', ...args], { env: { ...env, ...process.env } });
const node = (...args) => nodeWith({}, ...args);
const vitest = [tool('vitest/vitest.mjs'), 'run'];
const reported = (name) => ['--reporter=default', '--reporter=json', `--outputFile.json=.cache/${name}.json`];
const playwright = [tool('@playwright/test/cli.js'), 'test'];
mkdirSync('.cache', { recursive: true });

const stages = {
  lint: async () => {
    const format = await node(tool('@biomejs/biome/bin/biome'), 'ci', ...(process.stdout.isTTY ? [] : ['--colors=off']), '.');
    if (format.code !== 0) return format;
    const unused = await node(tool('knip/bin/knip.js'));
    return unused.code === 0 ? node(...vitest, '--project=documents', ...reported('documents')) : unused;
  },
  // One checker for each project: several would check the same types again, which is slower on two cores.
  types: () => node(tool('typescript/bin/tsc'), '-b', '--checkers', '1'),
  build: async () => {
    await build();
    return { code: 0 };
  },
  generated: async () => {
    const settings = await node('scripts/settings.ts', '--check');
    return settings.code === 0 ? node('scripts/schema.ts', '--check') : settings;
  },
  unit: () => node(...vitest, '--project=!documents', '--tags-filter=!thorough', ...reported('unit')),
  e2e: () => node(...playwright, '--grep-invert', '@thorough'),
  thorough: async () => {
    // All of them: a tagged test may need data of an earlier one. Properties are tried twice as often.
    const unit = await nodeWith({ PROPERTY_RUNS: '2' }, ...vitest);
    return unit.code === 0 ? node(...playwright, '--grep', '@thorough') : unit;
  },
};

const asked = process.argv.slice(2).filter((name) => name in stages);
const wanted = asked.length > 0 ? asked : Object.keys(stages).filter((name) => name !== 'thorough');
const begin = Date.now();

/** Runs those of the stages that are wanted, one after the other; false if one fails. */
async function inTurn(...names) {
  for (const name of names.filter((one) => wanted.includes(one))) {
    const start = Date.now();
    say(`\n== ${name}`);
    const { code } = await stages[name]();
    say(code === 0 ? `== ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s` : `\n${name} failed.`);
    if (code !== 0) return false;
  }
  return true;
}

// Neither keeps two cores busy, and they take about as long as each other.
const [hasTypes, hasRest] = await Promise.all([inTurn('types'), inTurn('lint', 'build', 'generated')]);
if (!hasTypes || !hasRest || !(await inTurn('unit', 'e2e', 'thorough'))) process.exit(1);
sayResults(wanted, Date.now() - begin);
