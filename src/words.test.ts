import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** What an engineer reads, and the heads of couriers' columns, which are their words. */
const UNREAD = /\.test\.ts$|(^|\/)testing\/|\/courier-sheet\.ts$/;
const COMMENT = /^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm;

/** The phrases in the second column of the table in docs/words.md. */
const banned = [...read('docs/words.md').matchAll(/^\| .+ \| (.+) \|$/gm)]
  .flatMap(([, phrases = '']) => phrases.split(', '))
  .filter((phrase) => phrase !== 'not');
const phrase = new RegExp(`\\b(?:${banned.join('|')})\\b`, 'i');

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !UNREAD.test(file))
  .map((file) => [`src/${file}`, read(`src/${file}`).replace(COMMENT, '').replace(/\s+/g, ' ')] as const);
/** The specification keeps its own words, and `words.md` names those that are refused. */
const EXEMPT = new Set(['specification.md', 'words.md']);
const documents = [
  ...['README.md', 'CONTRIBUTING.md', '.env.example', 'demo/products.json', 'demo/rooms.json'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !EXEMPT.has(file))
    .map((file) => `docs/${file}`),
].map((file) => [file, read(file).replace(/\s+/g, ' ')] as const);

test('nothing that a shopper, a shopkeeper or an operator reads holds a word that docs/words.md refuses', () => {
  expect(banned.length).toBeGreaterThan(20);
  const found = [...sources, ...documents].flatMap(([file, text]) => {
    const at = text.search(phrase);
    return at === -1 ? [] : [`${file}: …${text.slice(Math.max(0, at - 30), at + 40)}…`];
  });
  expect(found).toEqual([]);
});

test('the rule finds a refused word across a line break, and leaves comments alone', () => {
  const text = 'a\n  // just now\n<p>We are just\n  now closed</p>'.replace(COMMENT, '').replace(/\s+/g, ' ');
  expect(text.match(phrase)?.index).toBeGreaterThan(0);
  expect('// just now'.replace(COMMENT, '')).not.toMatch(phrase);
});
