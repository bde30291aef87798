import { expect, test } from 'vitest';
import { chipsOf } from './chips.ts';
import { partsOf, termsOf } from './understand.ts';
import { readVocabulary } from './vocabulary.ts';

const vocabulary = readVocabulary('couch = sofa\n[colours]\ngrey = grey\n[materials]\nwood = oak', 'words.txt');

function chips(typed: string): [string, string][] {
  const { words, amounts } = partsOf(typed);
  const terms = termsOf(
    words.map((word) => ({ ...word, meant: [word.word] })),
    vocabulary,
  );
  return chipsOf(typed, terms, amounts).map(({ label, search }) => [label, search]);
}

test.each<[string, [string, string][]]>([
  ['sofa', []],
  [
    'Grey couch under £500',
    [
      ['Colour: grey', 'couch under £500'],
      ['Up to £500', 'Grey couch'],
    ],
  ],
  [
    'wood bench 120-160 cm, grey',
    [
      ['Material: wood', 'bench 120-160 cm, grey'],
      ['120 cm to 160 cm wide', 'wood bench , grey'],
      ['Colour: grey', 'wood bench 120-160 cm'],
    ],
  ],
  ['sofa over £99.50', [['From £99.50', 'sofa']]],
  ['6 ft', [['175.6 cm to 190.2 cm wide or high', '']]],
  ['wardrobe up to 2m tall', [['Up to 200 cm high', 'wardrobe']]],
])('%s', (typed, expected) => {
  expect(chips(typed)).toEqual(expected);
});
