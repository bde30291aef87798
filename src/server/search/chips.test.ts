import { expect, test } from 'vitest';
import { chipsOf } from './chips.ts';
import { partsOf, termsOf } from './understand.ts';
import { readVocabulary } from './vocabulary.ts';

const vocabulary = readVocabulary('couch = sofa\n[colours]\ngrey = grey\n[materials]\nwood = oak', 'words.txt');

function read(typed: string): { chips: [string, string][]; plain: string } {
  const { words, amounts } = partsOf(typed);
  const { terms } = termsOf(
    words.map((word) => ({ ...word, meant: [word.word] })),
    vocabulary,
  );
  const { chips, plain } = chipsOf(typed, terms, amounts);
  return { chips: chips.map(({ label, search }) => [label, search]), plain };
}

test.each<[string, [string, string][], string]>([
  ['sofa', [], 'sofa'],
  [
    'Grey couch under £500',
    [
      ['Colour: grey', 'couch under £500'],
      ['Up to £500', 'Grey couch'],
    ],
    'couch',
  ],
  [
    'wood bench 120-160 cm, grey',
    [
      ['Material: wood', 'bench 120-160 cm, grey'],
      ['120 cm to 160 cm wide', 'wood bench , grey'],
      ['Colour: grey', 'wood bench 120-160 cm'],
    ],
    'bench',
  ],
  ['sofa over £99.50', [['From £99.50', 'sofa']], 'sofa'],
  ['6 ft', [['175.6 cm to 190.2 cm wide or high', '']], ''],
  ['wardrobe up to 2m tall', [['Up to 200 cm high', 'wardrobe']], 'wardrobe'],
])('%s', (typed, chips, plain) => {
  expect(read(typed)).toEqual({ chips, plain });
});
