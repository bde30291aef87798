import { readFileSync } from 'node:fs';
import { asNumberWord, comparable, singular, wordsOf } from './folded.ts';

/** The words of a phrase. */
export type Phrase = readonly string[];

/** The sections of the file, which explains them, and whether their lines have a “=”. */
const SECTIONS = {
  misspelt: 'always',
  words: 'always',
  colours: 'optional',
  materials: 'optional',
  'not sold': 'optional',
  apart: 'always',
  beside: 'always',
  asks: 'always',
  pages: 'always',
  pieces: 'never',
  tall: 'never',
  sizes: 'never',
  after: 'never',
  parts: 'never',
  without: 'never',
  joined: 'never',
  ignored: 'optional',
  shades: 'never',
  vague: 'never',
} as const;
type Section = keyof typeof SECTIONS;

/** The meanings of a phrase by section. Among colours and materials, a phrase without “=” means itself. */
export type Meaning = Partial<Record<Section, readonly Phrase[]>> & {
  /** How the file writes the phrase: "coffeetable" is "coffee table", and "arm chair" "armchair". */
  written?: Phrase;
};

/** Shoppers' words. */
export interface Vocabulary {
  /** The meanings of phrases, by `keyOf`. */
  meanings: ReadonlyMap<string, Meaning>;
  /** The number of words of the longest phrase. */
  longest: number;
  /** The words that are not typing errors: those of phrases, and phrases as one word, in the singular. */
  words: ReadonlySet<string>;
}

/** The key of a phrase: its words in the singular, without spaces, since people write "arm chair" and "coffeetable". */
export const keyOf = (phrase: Phrase): string => phrase.map(singular).join('');

/** The meaning of a phrase; undefined if the vocabulary does not have it. */
export const meaningOf = ({ meanings }: Vocabulary, phrase: Phrase): Meaning | undefined => meanings.get(keyOf(phrase));

/** The shortest phrase of some kind whose key begins so: "deliv" is "deliver", and "openingh" "opening hours". */
export const completed = ({ meanings }: Vocabulary, beginning: string, isOfKind: (meaning: Meaning) => boolean): Phrase | undefined =>
  [...meanings]
    .filter(([key, meaning]) => key.startsWith(beginning) && isOfKind(meaning))
    .sort(([one], [other]) => one.length - other.length)[0]?.[1].written;

const phrasesOf = (text: string): Phrase[] =>
  text
    .split(',')
    .map((phrase) => wordsOf(comparable(phrase)).map(asNumberWord))
    .filter((phrase) => phrase.length > 0);

/** Adds the meanings of a line. Throws an Error if the line is wrong. */
function learn(meanings: Map<string, Meaning>, section: Section, line: string): void {
  const [typed = '', meant, ...others] = line.split('=');
  if (others.length > 0) throw new Error('there is more than one “=”');
  if (meant !== undefined && SECTIONS[section] === 'never') throw new Error(`lines of [${section}] have no “=”`);
  if (meant === undefined && SECTIONS[section] === 'always') throw new Error('“=” is missing');
  const [phrases, targets] = [phrasesOf(typed), meant === undefined ? undefined : phrasesOf(meant)];
  if (phrases.length === 0 || targets?.length === 0) throw new Error('a side is empty');
  for (const phrase of phrases) {
    const before = meanings.get(keyOf(phrase)) ?? { written: phrase };
    const itself = section === 'colours' || section === 'materials' ? [phrase] : [];
    const targetsBefore = before[section] ?? [];
    // "Shelf, shelves" are one.
    const more = (targets ?? itself).filter((target) => !targetsBefore.some((one) => keyOf(one) === keyOf(target)));
    meanings.set(keyOf(phrase), { ...before, [section]: [...targetsBefore, ...more] });
  }
}

/** Refuses chains of meanings: they would depend on the order of lines, and a circle would have no end. */
function checkChains(meanings: ReadonlyMap<string, Meaning>, name: string): void {
  for (const [key, { words = [], written = [] }] of meanings)
    for (const meant of words)
      if (keyOf(meant) !== key && meanings.get(keyOf(meant))?.words?.some((phrase) => keyOf(phrase) !== keyOf(meant)))
        throw new Error(`${name}: “${written.join(' ')}” leads to “${meant.join(' ')}”, which leads on to something else.`);
}

/** Reads a vocabulary, whose file explains its own format. Throws an Error for the operator that names the wrong line. */
export function readVocabulary(text: string, name: string): Vocabulary {
  const meanings = new Map<string, Meaning>();
  let section: Section = 'words';
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.replace(/#.*/, '').trim();
    if (line === '') continue;
    try {
      const [, heading] = /^\[(.+)\]$/.exec(line) ?? [];
      if (heading === undefined) learn(meanings, section, line);
      else if (heading in SECTIONS) section = heading as Section;
      else throw new Error(`there is no section “${heading}”`);
    } catch (error) {
      throw new Error(`${name}, line ${index + 1}: ${(error as Error).message}.`);
    }
  }
  checkChains(meanings, name);
  const known = [...meanings].filter(([, { misspelt }]) => !misspelt);
  const phrases = known.map(([, { written = [] }]) => written);
  return {
    meanings,
    longest: Math.max(1, ...phrases.map((phrase) => phrase.length)),
    words: new Set([...known.map(([key]) => key), ...phrases.flat().map(singular)]),
  };
}

/** The vocabulary of a file. Throws an Error for the operator if the file cannot be read. */
export function loadVocabulary(path: string): Vocabulary {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`The file of search words, ${path}, cannot be read.`);
  }
  return readVocabulary(text, path);
}
