import { readFileSync } from 'node:fs';
import { Refusal } from '#server/base/refusal.ts';
import { asNumberWord, singular, wordsOf } from './words.ts';

/** Some words that must all be there. */
export type Phrase = readonly string[];

/** What a phrase stands for. */
export interface Meaning {
  /** Words of the catalogue, one phrase or another. */
  words: readonly Phrase[];
  /** Families of colours, one or another. */
  colours: readonly string[];
  /** Materials, one or another, as the catalogue names them in small letters without accents. */
  materials: readonly string[];
  isIgnored: boolean;
}

/** The words of shoppers. */
export interface Vocabulary {
  /** What phrases mean, by `keyOf`. */
  meanings: ReadonlyMap<string, Meaning>;
  /** The most words that a phrase has. */
  longest: number;
  /** Each word that a phrase holds, in the singular, for forgiving typing errors. */
  words: ReadonlySet<string>;
}

type Section = 'words' | 'colours' | 'materials' | 'ignored';
const SECTIONS: readonly string[] = ['words', 'colours', 'materials', 'ignored'] satisfies Section[];
const NOTHING: Meaning = { words: [], colours: [], materials: [], isIgnored: false };

/** The name of a phrase among meanings: its words in the singular, joined by spaces. */
export const keyOf = (phrase: Phrase): string => phrase.map(singular).join(' ');

const phrasesOf = (text: string): Phrase[] =>
  text
    .split(',')
    .map((phrase) => wordsOf(phrase).map(asNumberWord))
    .filter((phrase) => phrase.length > 0);

/** Adds what one line says. Throws the reason why it says nothing. */
function learn(meanings: Map<string, Meaning>, section: Section, line: string): void {
  const [typed = '', meant, ...more] = line.split('=');
  if (more.length > 0) throw new Error('there is more than one “=”');
  if (meant !== undefined && section === 'ignored') throw new Error('ignored words have no “=”');
  if (meant === undefined && section === 'words') throw new Error('“=” is missing');
  const [phrases, targets] = [phrasesOf(typed), meant === undefined ? undefined : phrasesOf(meant)];
  if (phrases.length === 0 || targets?.length === 0) throw new Error('a side is empty');
  for (const phrase of phrases) {
    const key = keyOf(phrase);
    const before = meanings.get(key) ?? NOTHING;
    if (section === 'ignored') meanings.set(key, { ...before, isIgnored: true });
    else if (section === 'words') meanings.set(key, { ...before, words: [...before.words, ...(targets ?? [])] });
    else meanings.set(key, { ...before, [section]: [...before[section], ...(targets ?? [phrase]).map((target) => target.join(' '))] });
  }
}

/** What one phrase is led to is not led on: a chain would depend on the order of lines, and a circle would have no end. */
function checkChains(meanings: ReadonlyMap<string, Meaning>): void {
  for (const [typed, { words }] of meanings)
    for (const meant of words.map(keyOf))
      if (meant !== typed && meanings.get(meant)?.words.some((phrase) => keyOf(phrase) !== meant))
        throw new Error(`“${typed}” leads to “${meant}”, which leads on to something else`);
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
      else if (SECTIONS.includes(heading)) section = heading as Section;
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
  const phrases = [...meanings.keys()].map((key) => key.split(' '));
  return { meanings, longest: Math.max(1, ...phrases.map((phrase) => phrase.length)), words: new Set(phrases.flat()) };
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
