import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import anyAscii from 'any-ascii';
import PDFDocument from 'pdfkit';

type Doc = PDFKit.PDFDocument;

/** Font size in points, weight and alignment. */
export interface Look {
  size: number;
  isBold?: boolean;
  align?: 'left' | 'right';
}

const fontOf = ({ isBold }: Look) => (isBold ? 'bold' : 'plain');

/** A parsed font of the library, whose types lack it. */
interface ParsedFont {
  hasGlyphForCodePoint(code: number): boolean;
}
interface WithFont {
  _font: { font: ParsedFont };
}

const parsedFontOf = (doc: Doc): ParsedFont => (doc as unknown as WithFont)._font.font;

let fonts: { plain: ParsedFont; bold: ParsedFont } | undefined;

/**
 * DejaVu covers Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian and Georgian. Parsed once, with the first document: parsing takes longer than writing an
 * invoice.
 */
function readFonts() {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const parsed = (file: string) => parsedFontOf(new PDFDocument({ font: join(folder, file) }));
  return { plain: parsed('DejaVuSans.ttf'), bold: parsed('DejaVuSans-Bold.ttf') };
}

export function registerFonts(doc: Doc): void {
  fonts ??= readFonts();
  for (const [name, font] of Object.entries(fonts)) doc.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource);
}

/**
 * Transliterates letters that the font lacks, such as Chinese or Devanagari, instead of printing empty boxes. A font for them all would be
 * larger than the rest of the shop.
 */
export function writable(doc: Doc, text: string, look: Look): string {
  if (/^[ -~]*$/.test(text)) return text;
  doc.font(fontOf(look));
  const font = parsedFontOf(doc);
  return Array.from(text, (letter) => (font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) ? letter : anyAscii(letter))).join('');
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Splits a line into runs of one direction. The font shapes and orders letters within a run, so adjacent right-to-left words form one run.
 */
export function runsOf(line: string): string[] {
  const runs: { text: string; isRtl: boolean }[] = [];
  for (const word of line.split(/(?<=\s)/)) {
    const isRtl = RIGHT_TO_LEFT.test(word);
    const last = runs.at(-1);
    if (last && last.isRtl === isRtl) last.text += word;
    else runs.push({ text: word, isRtl });
  }
  return runs.map(({ text }) => text);
}

/**
 * With font features set, the library lays out a run as a whole, as right-to-left text needs. Without them it works word by word, and
 * caches each.
 */
const layoutOf = (run: string): PDFKit.Mixins.TextOptions =>
  RIGHT_TO_LEFT.test(run) ? { lineBreak: false, features: ['liga'] } : { lineBreak: false };

const widthOf = (doc: Doc, line: string): number =>
  runsOf(line).reduce((sum, run) => sum + doc.widthOfString(run, layoutOf(run) as object), 0);

/** Wraps text between words, and inside words longer than a line. */
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

/** Line height in points. */
export const leading = ({ size }: Look): number => size * 1.4;

/** Writes lines downwards from a position. Returns the y of the next line. */
export function writeLines(
  doc: Doc,
  lines: readonly string[],
  { x, y, width }: { x: number; y: number; width: number },
  look: Look,
): number {
  doc.font(fontOf(look)).fontSize(look.size);
  lines.forEach((line, index) => {
    let runX = look.align === 'right' ? x + width - widthOf(doc, line) : x;
    for (const run of runsOf(line)) {
      doc.text(run, runX, y + index * leading(look), layoutOf(run));
      runX += doc.widthOfString(run, layoutOf(run) as object);
    }
  });
  return y + lines.length * leading(look);
}
