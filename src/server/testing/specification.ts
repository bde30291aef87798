import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** The title of a test that ends with the paragraphs and the rules of use that it holds: 'the first page is page 1 (§2.6.6, §12.2, U8)'. */
const TITLE = /(['"`])([^\n]*?) \(((?:§[\d.]+|U\d+)(?:, (?:§[\d.]+|U\d+))*)\)\1/g;

export interface HoldingTest {
  file: string;
  title: string;
  paragraphs: string[];
  /** Numbers of docs/ux-rules.md, such as `U8`. */
  rules: string[];
}

/** The numbers of the specification's paragraphs with their text, in its order. */
export function readParagraphs(): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');
  return new Map([...text.matchAll(/^(\d+(?:\.\d+)+) (.*)$/gm)].map(([, number = '', words = '']) => [number, words]));
}

/** Every test whose title names paragraphs of the specification or rules of use. */
export function readHoldingTests(): HoldingTest[] {
  const files = ['src', 'e2e', 'ops'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(test|spec|drill)\.tsx?$/.test(file))
      .map((file) => join(folder, file).replaceAll('\\', '/')),
  );
  return files.sort().flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(TITLE)].map(([, , title = '', numbers = '']) => ({
      file,
      title,
      paragraphs: numbers
        .split(', ')
        .filter((number) => number.startsWith('§'))
        .map((number) => number.slice(1)),
      rules: numbers.split(', ').filter((number) => number.startsWith('U')),
    })),
  );
}
