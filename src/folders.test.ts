import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const SRC = join(ROOT, 'src');
/** What proves the shop may import all of it. */
const PROVES = /\.test\.ts$|(^|\/)testing\//;
const IMPORT = /(?:from|import)\s*\(?\s*'((?:#|\.\/)[^']+)'/g;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Every folder of sources, from `src`, with the folders that its files import from. */
function folderImports(): Imports {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !PROVES.test(file));
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const from = dirname(file);
    const seen = folders.get(from) ?? new Set();
    for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT))
      if (name.startsWith('#') && dirname(name.slice(1)) !== from) seen.add(dirname(name.slice(1)));
    folders.set(from, seen);
  }
  return folders;
}

/** One way that leads from a folder back to it, when there is one. */
function circleOf(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  function follow(folder: string, way: readonly string[]): string[] | undefined {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const next of imports.get(folder) ?? []) {
      const circle = follow(next, [...way, folder]);
      if (circle) return circle;
    }
    done.add(folder);
    return undefined;
  }
  for (const folder of imports.keys()) {
    const circle = follow(folder, []);
    if (circle) return circle;
  }
  return undefined;
}

/** What the folders of one part import from each other, each with the folders inside it. */
function importsWithin(part: string): Imports {
  const nameOf = (folder: string) => (folder.startsWith(`${part}/`) ? (folder.split('/')[1] ?? '') : '');
  const imports = new Map<string, Set<string>>();
  for (const [from, folders] of folderImports()) {
    const others = [...folders].map(nameOf).filter((name) => name && name !== nameOf(from));
    if (nameOf(from)) imports.set(nameOf(from), new Set([...(imports.get(nameOf(from)) ?? []), ...others]));
  }
  return imports;
}

/** Whether a way of two imports or more leads from one folder to another. */
function isRoundabout(imports: Imports, from: string, to: string): boolean {
  const leads = (folder: string): boolean => folder === to || [...(imports.get(folder) ?? [])].some(leads);
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

describe('the folders of the sources', () => {
  test('never import each other in a circle', () => {
    const imports = folderImports();
    expect(imports.get('server/payments')).toContain('server/orders');
    expect(circleOf(imports)?.join(' imports ')).toBeUndefined();
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

  test.each(['server', 'web'])('%s: docs/architecture.md draws who imports whom, and nothing else', (part) => {
    expect(drawnArrows(part)).toEqual(shortestArrows(importsWithin(part)));
  });
});
