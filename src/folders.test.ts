import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const SRC = join(ROOT, 'src');
/** What proves the shop may import all of it. */
const PROVES = /\.test\.ts$|(^|\/)testing\//;
const IMPORT = /(?:from|import)\s*\(?\s*'((?:#|\.\/)[^']+)'/g;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** The room of a part that a file stands in: its first folder, beneath `platform` the second. Undefined for what belongs to no room. */
function roomOf(part: string, file: string): string | undefined {
  const [, room] = new RegExp(`^${part}/((?:platform/)?[^/.]+)(?=/)`).exec(file) ?? [];
  return room;
}

/** The rooms of one part with those that each imports from. */
function importsWithin(part: string): Imports {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !PROVES.test(file));
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const from = roomOf(part, file);
    if (!from) continue;
    const seen = imports.get(from) ?? new Set();
    for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)) {
      const to = name.startsWith('#') ? roomOf(part, name.slice(1)) : undefined;
      if (to && to !== from) seen.add(to);
    }
    imports.set(from, seen);
  }
  return imports;
}

/** One way that leads from a room back to it, when there is one. */
function circleOf(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  function follow(room: string, way: readonly string[]): string[] | undefined {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of imports.get(room) ?? []) {
      const circle = follow(next, [...way, room]);
      if (circle) return circle;
    }
    done.add(room);
    return undefined;
  }
  for (const room of imports.keys()) {
    const circle = follow(room, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Whether a way of two imports or more leads from one room to another. */
function isRoundabout(imports: Imports, from: string, to: string): boolean {
  const leads = (room: string): boolean => room === to || [...(imports.get(room) ?? [])].some(leads);
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

describe.each(['server', 'web'])('the rooms of %s', (part) => {
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
