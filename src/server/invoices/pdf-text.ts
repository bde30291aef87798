import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import anyAscii from 'any-ascii';

type Doc = PDFKit.PDFDocument;

/** Text of a document, in points. */
export interface Look {
  size: number;
  isBold?: boolean;
  align?: 'left' | 'right';
}

const fontOf = ({ isBold }: Look) => (isBold ? 'bold' : 'plain');

let files: { plain: Buffer; bold: Buffer } | undefined;

/** DejaVu writes Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian and Georgian letters. Read with the first document, and kept. */
function readFonts() {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  return { plain: readFileSync(join(folder, 'DejaVuSans.ttf')), bold: readFileSync(join(folder, 'DejaVuSans-Bold.ttf')) };
}

/** Makes the fonts known to a document. */
export function registerFonts(doc: Doc): void {
  files ??= readFonts();
  doc.registerFont('plain', files.plain);
  doc.registerFont('bold', files.bold);
}

/** What the library knows of a font, and its types do not: which letters it has. */
interface WithFont {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}

/**
 * A text in letters that the font has. Others, such as Chinese and Indian ones, are written in Latin letters instead of as empty boxes: a font for them
 * all would be larger than the rest of the shop.
 */
export function writable(doc: Doc, text: string, look: Look): string {
  if (/^[ -~]*$/.test(text)) return text;
  doc.font(fontOf(look));
  const { font } = (doc as unknown as WithFont)._font;
  return Array.from(text, (letter) => (font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) ? letter : anyAscii(letter))).join('');
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The stretches of a line that are written in one direction. The font joins and orders the letters of a stretch; words of a right-to-left script
 * that stand beside each other are one.
 */
export function stretchesOf(line: string): string[] {
  const stretches: { text: string; isRtl: boolean }[] = [];
  for (const word of line.split(/(?<=\s)/)) {
    const isRtl = RIGHT_TO_LEFT.test(word);
    const last = stretches.at(-1);
    if (last && last.isRtl === isRtl) last.text += word;
    else stretches.push({ text: word, isRtl });
  }
  return stretches.map(({ text }) => text);
}

/** Features of the font make the library lay out a stretch as one, right to left; without any it does so word by word, and remembers each. */
const layoutOf = (stretch: string): PDFKit.Mixins.TextOptions =>
  RIGHT_TO_LEFT.test(stretch) ? { lineBreak: false, features: ['liga'] } : { lineBreak: false };

/** How wide a line is. */
const widthOf = (doc: Doc, line: string): number =>
  stretchesOf(line).reduce((sum, stretch) => sum + doc.widthOfString(stretch, layoutOf(stretch) as object), 0);

/** Breaks a text between words, and a word that is too long for a line inside it. */
export function linesOf(doc: Doc, text: string, width: number, look: Look): string[] {
  doc.font(fontOf(look)).fontSize(look.size);
  const lines: string[] = [];
  let line = '';
  const add = (part: string) => {
    if (line && widthOf(doc, line + part.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += part;
  };
  for (const word of writable(doc, text, look).split(/(?<=\s)/)) {
    if (widthOf(doc, word.trimEnd()) <= width) add(word);
    else for (const letter of word) add(letter);
  }
  return [...lines, line.trimEnd()];
}

/** The height of a line of text. */
export const leading = ({ size }: Look): number => size * 1.4;

/** Writes lines one below the other from a place on. Returns where the next would stand. */
export function writeLines(
  doc: Doc,
  lines: readonly string[],
  { x, y, width }: { x: number; y: number; width: number },
  look: Look,
): number {
  doc.font(fontOf(look)).fontSize(look.size);
  lines.forEach((line, index) => {
    let at = look.align === 'right' ? x + width - widthOf(doc, line) : x;
    for (const stretch of stretchesOf(line)) {
      doc.text(stretch, at, y + index * leading(look), layoutOf(stretch));
      at += doc.widthOfString(stretch, layoutOf(stretch) as object);
    }
  });
  return y + lines.length * leading(look);
}
