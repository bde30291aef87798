import { expect, test } from 'vitest';
import { splitSearch, termsOf } from './understand.ts';
import { readVocabulary } from './vocabulary.ts';

const vocabulary = readVocabulary(
  'couch = sofa\nnight stand = bedside table\nreading lamp = floor lamp\nfor two = two seat\n[sizes]\nseat, seater\n[words]\nseater = seat\n[colours]\ngrey, gray = grey\noff white = white\n[materials]\nwood = oak, paper cord\n[pieces]\nsofa, chair, armchair, table, card\n[without]\nwithout\n[ignored]\nthe, a\n[after]\nwith, for, under\n[joined]\nand\n[shades]\nlight\n[asks]\ncheap = lowest price\n[vague]\nmodern',
  'words.txt',
);

/** Each term as the phrases that it may stand for. */
function terms(typed: string, corrections: Record<string, string[]> = {}) {
  const words = splitSearch(typed).words.map((word) => ({ ...word, meant: corrections[word.word] ?? [word.word] }));
  return termsOf(words, vocabulary).terms.map(({ alternatives }) => alternatives.map((phrase) => phrase.join(' ')));
}

test.each<[string, string[][]]>([
  ['Couch', [['couch', 'sofa']]],
  [
    'gray couch',
    [
      ['gray', 'grey'],
      ['couch', 'sofa'],
    ],
  ],
  ['night stand', [['night stand', 'bedside table']]],
  ['a night lamp', [['night'], ['lamp']]],
  [
    'off-white night-stand',
    [
      ['off white', 'white'],
      ['night stand', 'bedside table'],
    ],
  ],
  ['2 seater sofa', [['two seater', 'two seat'], ['sofa']]],
  ['2seater', [['two seater', 'two seat']]],
  ['4 chairs', [['chairs']]],
  ['wood bench', [['wood', 'oak', 'paper cord'], ['bench']]],
  ['nightstand', [['night stand', 'bedside table']]],
  ['arm chair', [['armchair']]],
  ['lamp for the reading', [['reading lamp', 'floor lamp']]],
  ['lamp by the reading', [['reading lamp', 'floor lamp']]],
  ['sofa for two', [['sofa'], ['for two', 'two seat']]],
  ['sofa without arms', [['sofa']]],
  ['the sofa under 200 cm', [['sofa']]],
  ['Bouclé sofa for £900', [['boucle'], ['sofa']]],
  ['light grey sofa', [['grey', 'grey'], ['sofa']]],
  ['cheap sofa', [['sofa']]],
  ['the', []],
  ['the modern sofa', [['sofa']]],
  ['the modern', [['modern']]],
  ['', []],
  ['£500', []],
])('“%s” asks for %j', (typed, expected) => {
  expect(terms(typed)).toEqual(expected);
});

test('a mistyped word stands for each of its likeliest meanings, and for what those mean', () => {
  expect(terms('coach', { coach: ['couch', 'roach'] })).toEqual([['couch', 'sofa', 'roach']]);
  expect(terms('nihgt stand', { nihgt: ['night'] })).toEqual([['night stand', 'bedside table']]);
});

test('the two words of “2seater” stand beside each other', () => {
  expect(splitSearch('a 2seater sofa').words.map(({ word, from, to }) => [word, from, to])).toEqual([
    ['a', 0, 1],
    ['two', 2, 3],
    ['seater', 3, 9],
    ['sofa', 10, 14],
  ]);
});

test('a term says where it stands in what was typed, what kind it is, and whether it is the last', () => {
  const words = splitSearch('gray  couch under £500 wo').words.map((word) => ({ ...word, meant: [word.word] }));
  expect(termsOf(words, vocabulary).terms.map(({ from, to, kind, isLast }) => [from, to, kind, isLast])).toEqual([
    [0, 4, 'colour', false],
    [6, 11, 'piece', false],
    [23, 25, 'words', true],
  ]);
});

test.each([
  ['card table', ['table']],
  ['table and chair', ['table', 'chair']],
  ['sofa with table', ['sofa']],
  ['chair for card table', ['chair']],
])('the noun of “%s” is %j: the last of several side by side, without what follows “with” or “for” (§12.1)', (typed, nouns) => {
  const words = splitSearch(typed).words.map((word) => ({ ...word, meant: [word.word] }));
  const { terms } = termsOf(words, vocabulary);
  expect(terms.filter(({ kind }) => kind === 'piece').map(({ text }) => text)).toEqual(nouns);
});
