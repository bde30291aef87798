import { readFileSync } from 'node:fs';
import { Refusal } from '#server/platform/refusal.ts';
import { asNumberWord, comparable, singular, wordsOf } from './folded.ts';

/** Some words that must all be there. */
export type Phrase = readonly string[];

/** The sections of the file, which explains them, and whether their lines have a “=”. */
const SECTIONS = {
  misspelt: 'always',
  words: 'always',
  colours: 'perhaps',
  materials: 'perhaps',
  'not sold': 'perhaps',
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
  ignored: 'never',
  shades: 'never',
  vague: 'never',
} as const;
type Section = keyof typeof SECTIONS;

/** The meanings of a phrase by section. Among colours and materials, a phrase without “=” means itself. */
export type Meaning = Partial<Record<Section, readonly Phrase[]>> & {
  /** How the file writes the phrase: "coffeetable" is "coffee table", and "arm chair" "armchair". */
  written?: Phrase;
};

/** The words of shoppers. */
export interface Vocabulary {
  /** What phrases mean, by `keyOf`. */
  meanings: ReadonlyMap<string, Meaning>;
  /** The most words that a phrase has. */
  longest: number;
  /** Each word that a phrase holds, and each phrase as one word, in the singular, for forgiving typing errors. */
  words: ReadonlySet<string>;
}

/** The name of a phrase among meanings: its words in the singular as one word, since people write "arm chair" and "coffeetable". */
export const keyOf = (phrase: Phrase): string => phrase.map(singular).join('');

/** The shortest phrase of some kind whose name begins so: "deliv" is "deliver", and "openingh" "opening hours". */
export const completed = ({ meanings }: Vocabulary, key: string, isOfKind: (meaning: Meaning) => boolean): Phrase | undefined =>
  [...meanings]
    .filter(([other, meaning]) => other.startsWith(key) && isOfKind(meaning))
    .sort(([one], [other]) => one.length - other.length)[0]?.[1].written;

const phrasesOf = (text: string): Phrase[] =>
  text
    .split(',')
    .map((phrase) => wordsOf(comparable(phrase)).map(asNumberWord))
    .filter((phrase) => phrase.length > 0);

/** Adds what one line says. Throws the reason why it says nothing. */
function learn(meanings: Map<string, Meaning>, section: Section, line: string): void {
  const [typed = '', meant, ...more] = line.split('=');
  if (more.length > 0) throw new Error('there is more than one “=”');
  if (meant !== undefined && SECTIONS[section] === 'never') throw new Error(`lines of [${section}] have no “=”`);
  if (meant === undefined && SECTIONS[section] === 'always') throw new Error('“=” is missing');
  const [phrases, targets] = [phrasesOf(typed), meant === undefined ? undefined : phrasesOf(meant)];
  if (phrases.length === 0 || targets?.length === 0) throw new Error('a side is empty');
  for (const phrase of phrases) {
    const before = meanings.get(keyOf(phrase)) ?? { written: phrase };
    const own = section === 'colours' || section === 'materials' ? [phrase] : [];
    const known = before[section] ?? [];
    // "Shelf, shelves" are one.
    const more = (targets ?? own).filter((target) => !known.some((one) => keyOf(one) === keyOf(target)));
    meanings.set(keyOf(phrase), { ...before, [section]: [...known, ...more] });
  }
}

/** What one phrase is led to is not led on: a chain would depend on the order of lines, and a circle would have no end. */
function checkChains(meanings: ReadonlyMap<string, Meaning>): void {
  for (const [key, { words = [], written = [] }] of meanings)
    for (const meant of words)
      if (keyOf(meant) !== key && meanings.get(keyOf(meant))?.words?.some((phrase) => keyOf(phrase) !== keyOf(meant)))
        throw new Error(`“${written.join(' ')}” leads to “${meant.join(' ')}”, which leads on to something else`);
}

/** Reads a file of shoppers' words, whose form it explains itself. Throws a Refusal that names the line at fault. */
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
      throw new Refusal(`${name}, line ${index + 1}: ${(error as Error).message}.`);
    }
  }
  try {
    checkChains(meanings);
  } catch (error) {
    throw new Refusal(`${name}: ${(error as Error).message}.`);
  }
  const phrases = [...meanings.values()].map(({ written = [] }) => written);
  return {
    meanings,
    longest: Math.max(1, ...phrases.map((phrase) => phrase.length)),
    words: new Set([...meanings.keys(), ...phrases.flat().map(singular)]),
  };
}

/** The vocabulary of a file. Throws a Refusal where it cannot be read. */
export function loadVocabulary(path: string): Vocabulary {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Refusal(`The file of search words, ${path}, cannot be read.`);
  }
  return readVocabulary(text, path);
}
