import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { loadVocabulary, readVocabulary } from './vocabulary.ts';

const read = (text: string) => readVocabulary(text, 'words.txt');
const meaning = (text: string, phrase: string) => read(text).meanings.get(phrase);

test('a line leads each of its phrases to what it means; lines on one phrase add up (§12.5)', () => {
  const text = 'couch, Canapé = sofa\n# a remark\n\ncouch = settle, 2 seat bench # another\n';
  expect(meaning(text, 'couch')?.words).toEqual([['sofa'], ['settle'], ['two', 'seat', 'bench']]);
  expect(meaning(text, 'canape')?.words).toEqual([['sofa']]);
});

test('colours, materials and ignored words have sections of their own', () => {
  const text = '[colours]\noff-white = white, beige\n[materials]\noak\nwood = oak, paper cord\n[ignored]\nthe, wood';
  expect(meaning(text, 'offwhite')?.colours).toEqual([['white'], ['beige']]);
  expect(meaning(text, 'wood')).toMatchObject({ materials: [['oak'], ['paper', 'cord']], ignored: [] });
  expect(meaning(text, 'oak')?.materials).toEqual([['oak']]);
  expect(read(text).longest).toBe(2);
});

test.each([
  ['couch', 'words.txt, line 1: “=” is missing.'],
  ['couch = sofa = settee', 'words.txt, line 1: there is more than one “=”.'],
  ['\n= sofa', 'words.txt, line 2: a side is empty.'],
  ['couch =', 'words.txt, line 1: a side is empty.'],
  ['[shapes]', 'words.txt, line 1: there is no section “shapes”.'],
  ['[vague]\nnice = a', 'words.txt, line 2: lines of [vague] have no “=”.'],
  ['couch = settee\nsettee = sofa', 'words.txt: “couch” leads to “settee”, which leads on to something else.'],
  ['couch = sofa\nsofa = couch', 'words.txt: “couch” leads to “sofa”, which leads on to something else.'],
])('%j is refused, with the reason and the line (§12.5)', (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

test('a file that is not there is named', () => {
  expect(() => loadVocabulary('/nowhere/words.txt')).toThrow('The file of search words, /nowhere/words.txt, cannot be read.');
});

test('the words that come with the shop can be read', () => {
  const { meanings } = loadVocabulary(join(ROOT, 'config/search-words.txt'));
  expect(meanings.get('settee')?.words).toEqual([['sofa']]);
  expect(meanings.size).toBeGreaterThan(150);
});
