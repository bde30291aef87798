/** `npm test`: installs, then everything that CI asks for, in order; stops at the first failure. `npm test unit e2e` runs only those. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, checkMachine, install, ROOT, run, say } from './prepare.mjs';

process.chdir(ROOT);
checkMachine();
await install();
const { findBrowser } = await import('./browser.mjs');

const tool = (path) => join(ROOT, 'node_modules', path);
const node = (...args) => run(process.execPath, args);
mkdirSync('.cache', { recursive: true });

const stages = {
  lint: async () => {
    const format = await node(tool('@biomejs/biome/bin/biome'), 'ci', ...(process.stdout.isTTY ? [] : ['--colors=off']), '.');
    return format.code === 0 ? node(tool('knip/bin/knip.js')) : format;
  },
  types: () => node(tool('typescript/bin/tsc'), '-b'),
  build: async () => {
    await build();
    return { code: 0 };
  },
  generated: async () => {
    const settings = await node('--import', 'tsx', 'scripts/settings.ts', '--check');
    return settings.code === 0 ? node('--import', 'tsx', 'scripts/schema.ts', '--check') : settings;
  },
  unit: () => node(tool('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', '--outputFile.json=.cache/unit.json'),
  e2e: async () => {
    const { executablePath, env } = await findBrowser();
    return run(process.execPath, [tool('@playwright/test/cli.js'), 'test'], {
      env: { ...process.env, ...env, CHROME_PATH: executablePath },
    });
  },
};

const wanted = process.argv.slice(2).filter((name) => name in stages);
for (const name of wanted.length > 0 ? wanted : Object.keys(stages)) {
  const start = Date.now();
  say(`\n== ${name}`);
  const { code } = await stages[name]();
  if (code !== 0) {
    say(`\n${name} failed.`);
    process.exit(code);
  }
  say(`== ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const unit = read('.cache/unit.json')?.numPassedTests ?? 0;
const e2e = read('.cache/e2e.json')?.stats?.expected ?? 0;
say(`\n${unit + e2e} passed, 0 failed`);
