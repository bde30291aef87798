import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const SRC = join(ROOT, 'src');
/** Tests may import everything. */
const PROVES = /\.test\.ts$|(^|\/)testing\//;
const IMPORT = /(?:from|import)\s*\(?\s*'((?:#|\.\/)[^']+)'/g;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** The module of a file: its first folder within `server` or `web`, under `platform` the second. Undefined if it is in none. */
function moduleOf(part: string, file: string): string | undefined {
  const [, module] = new RegExp(`^${part}/((?:platform/)?[^/.]+)(?=/)`).exec(file) ?? [];
  return module;
}

/** The modules of `server` or `web`, each with the modules that it imports. */
function importsWithin(part: string): Imports {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !PROVES.test(file));
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const from = moduleOf(part, file);
    if (!from) continue;
    const seen = imports.get(from) ?? new Set();
    for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)) {
      const to = name.startsWith('#') ? moduleOf(part, name.slice(1)) : undefined;
      if (to && to !== from) seen.add(to);
    }
    imports.set(from, seen);
  }
  return imports;
}

/** A circle of imports, if there is one. */
function circleOf(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  function follow(module: string, way: readonly string[]): string[] | undefined {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
    if (done.has(module)) return undefined;
    for (const next of imports.get(module) ?? []) {
      const circle = follow(next, [...way, module]);
      if (circle) return circle;
    }
    done.add(module);
    return undefined;
  }
  for (const module of imports.keys()) {
    const circle = follow(module, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Whether one module imports another through a third. */
function isRoundabout(imports: Imports, from: string, to: string): boolean {
  const leads = (module: string): boolean => module === to || [...(imports.get(module) ?? [])].some(leads);
  return [...(imports.get(from) ?? [])].some((next) => next !== to && leads(next));
}

const shortestArrows = (imports: Imports) =>
  [...imports]
    .flatMap(([from, folders]) => [...folders].filter((to) => !isRoundabout(imports, from, to)).map((to) => `${from} --> ${to}`))
    .sort();

/** The arrows inside a part's frame in the drawing of `docs/architecture.md`. */
function drawnArrows(part: string): string[] {
  const [, frame = ''] = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split(`subgraph ${part}\n`);
  const lines = (frame.split('\n  end\n')[0] ?? '').split('\n').map((line) => line.replaceAll(/\["[^"]*"\]/g, '').trim());
  return lines
    .flatMap((line) => {
      const [from = '', to = ''] = line.split(' --> ');
      return to ? to.split(' & ').map((name) => `${from} --> ${name}`) : [];
    })
    .sort();
}

describe.each(['server', 'web'])('the modules of %s', (part) => {
  test('never import each other in a circle', () => {
    expect(circleOf(importsWithin(part))?.join(' imports ')).toBeUndefined();
  });

  test('docs/architecture.md draws who imports whom, and nothing else', () => {
    expect(drawnArrows(part)).toEqual(shortestArrows(importsWithin(part)));
  });
});

test('a circle would be found', () => {
  const circle = circleOf(
    new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ]),
  );
  expect(circle).toEqual(['b', 'c', 'b']);
});
