import { inflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { pdfOf } from './invoice-pdf.ts';
import { readPdf } from './pdf-cache.ts';
import { registerFonts, runsOf, writable } from './pdf-text.ts';

/** Its invoices have no logo: nothing is read from it. */
const pictures = pictureStore({ dataDir: 'nowhere', s3: undefined });
const invoiceOf = (lines: number, change: Partial<Invoice> = {}): Invoice => ({
  _id: '01890000-0000-7000-8000-0000abcd1234',
  kind: 'invoice',
  number: 'INV-000042',
  issuedAt: '2026-11-22T03:00:00.000Z',
  vatRate: 2000,
  rates: [{ rate: 2000, net: 83_332 * lines, vat: 16_666 * lines, gross: 99_998 * lines }],
  net: 83_332 * lines,
  vat: 16_666 * lines,
  gross: 99_998 * lines,
  seller: { name: 'Oak Ltd', number: '1', office: '14 Tannery Yard', email: 'hello@example.com', vatNumber: 'GB123456789' },
  buyer: { name: 'Zoë Żółć', address: ['1 High Street', 'فاطمة بنت محمد', 'LS1 4AP'] },
  order: { reference: 'K7MX-4QPD', placedAt: '2026-11-22T03:00:00.000Z', paymentMethod: 'Credit Card' },
  lines: Array.from({ length: lines }, (_, n) => ({
    name: `Alder Three-Seat Sofa ${n}`,
    details: 'Large, Moss',
    qty: 2,
    price: 49_999,
    net: 83_332,
    vat: 16_666,
    gross: 99_998,
  })),
  reason: '',
  corrects: null,
  ...change,
});

const admit = async () => undefined;
const count = (pdf: Buffer, text: string) => pdf.toString('latin1').split(text).length - 1;

/** The decompressed streams of a PDF. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/FlateDecode\n>>\nstream\n/g)].map(({ index, 0: head }) => {
    const start = index + head.length;
    return inflateSync(pdf.subarray(start, text.indexOf('\nendstream', start))).toString('latin1');
  });
}

test('the same invoice is the same bytes each time (§22.4)', async () => {
  const [one, other] = [await pdfOf(invoiceOf(5)), await pdfOf(invoiceOf(5))];
  expect(one.equals(other)).toBe(true);
  expect(one.equals(await pdfOf(invoiceOf(5, { number: 'INV-000043' })))).toBe(false);
});

test('it is made once for everyone who asks, and again once something of it has changed', async () => {
  const invoice = invoiceOf(3);
  const [one, other] = await Promise.all([readPdf(invoice, pictures, admit), readPdf(structuredClone(invoice), pictures, admit)]);
  expect(await readPdf(invoice, pictures, admit)).toBe(one);
  expect(other).toBe(one);
  expect(one.equals(await pdfOf(invoice))).toBe(true);
  expect((await readPdf({ ...invoice, buyer: { name: '', address: [] } }, pictures, admit)).equals(one)).toBe(false);
});

test('letters that its fonts do not have are written in Latin ones, and it says so', async () => {
  const doc = new PDFDocument();
  registerFonts(doc);
  const named = (text: string) => [{ size: 9 }, { size: 9, isBold: true }].map((look) => writable(doc, text, look));
  for (const [typed, written] of [
    ['王小明, Zoë Żółć', 'WangXiaoMing, Zoë Żółć'],
    ['김민준 山田', 'GimMinJun ShanTian'],
    ['राम कुमार', 'ram kumar'],
    ['فاطمة Олена Ελένη', 'فاطمة Олена Ελένη'],
  ] as const)
    expect(named(typed)).toEqual([written, written]);
  const paragraphs = async (name: string) => count(await pdfOf(invoiceOf(1, { buyer: { name, address: [] } })), '/S /P\n');
  expect(await paragraphs('王小明')).toBe((await paragraphs('Wang')) + 1);
});

test('a screen reader finds its language, title, heading, paragraphs and tables with their heads, and passes over lines and page numbers (§22.4)', async () => {
  const pdf = await pdfOf(invoiceOf(50));
  for (const [text, times] of [
    ['/Marked true', 1],
    ['/Lang (en-GB)', 1],
    ['/DisplayDocTitle true', 1],
    ['<rdf:li xml:lang="x-default">VAT invoice INV-000042<', 1],
    ['/S /H1\n', 1],
    ['/S /H2\n', 2],
    ['/S /Table\n', 2],
  ] as const)
    expect([text, count(pdf, text)]).toEqual([text, times]);
  // Six columns: a header per page, a row per line, and the rows for net, VAT and total.
  const pages = count(pdf, '/Type /Page\n');
  expect([count(pdf, '/S /TH\n'), count(pdf, '/Scope /Column'), count(pdf, '/S /TD\n')]).toEqual([6 * pages, 6 * pages, 50 * 6 + 6]);
  expect(pages).toBeGreaterThan(1);
  const written = streamsOf(pdf).join('\n');
  expect(written.match(/\/Artifact <<[^>]*\/Type \/Pagination/g)).toHaveLength(pages);
});

test('without a VAT number it says that no VAT is charged, and has no column for it (§22.2)', async () => {
  const pdf = await pdfOf(invoiceOf(1, { vatRate: null, rates: [], vat: 0, net: 99_998 }));
  expect(count(pdf, '>Invoice INV-000042<')).toBe(1);
  expect(count(pdf, '/S /TH\n')).toBe(4);
});

test('words of a script that is written from right to left stay together, and the rest keeps its place', () => {
  expect(runsOf('Ms فاطمة بنت محمد, Leeds')).toEqual(['Ms ', 'فاطمة بنت محمد, ', 'Leeds']);
  expect(runsOf('Zoë Oak')).toEqual(['Zoë Oak']);
});

test('PDFs are written outside of the thread that answers requests', { tags: ['thorough'] }, async () => {
  await readPdf(invoiceOf(1, { number: 'INV-000100' }), pictures, admit);
  // CPU time of this thread, which other load does not affect.
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const before = process.threadCpuUsage();
    const done = await work();
    const { user, system } = process.threadCpuUsage(before);
    return [done, user + system];
  };
  const numbers = Array.from({ length: 8 }, (_, n) => `INV-${200 + n}`);
  const [[pdf], elsewhere] = await timed(() => Promise.all(numbers.map((number) => readPdf(invoiceOf(200, { number }), pictures, admit))));
  const [, here] = await timed(() => Promise.all(numbers.map((number) => pdfOf(invoiceOf(200, { number })))));
  expect(elsewhere).toBeLessThan(here / 4);
  expect(pdf?.equals(await pdfOf(invoiceOf(200, { number: 'INV-200' })))).toBe(true);
});
