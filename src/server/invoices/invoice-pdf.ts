import { buffer } from 'node:stream/consumers';
import { buyerLines, factsOf, noteOf, sumsOf } from '#contract/invoices/invoice-text.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { titleOf } from '#contract/invoices/vat.ts';
import { pounds } from '#contract/market/money.ts';
import { type Look, leading, linesOf, registerFonts, writable, writeLines } from './pdf-text.ts';

type Doc = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

const PAGE = { width: 595, height: 842, margin: 48 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
/** Leaves room for the page number. */
const BOTTOM = PAGE.height - PAGE.margin - 24;
const BODY: Look = { size: 9.5 };
const STRONG: Look = { ...BODY, isBold: true };
const SMALL: Look = { size: 8 };
const GAP = 18;
const COLUMN_GAP = 6;
const ROW_GAP = 3;
const LOGO = { width: 180, height: 48 };

interface Column {
  label: string;
  width: number;
  isNumber?: boolean;
  cell: (line: Invoice['lines'][number]) => string;
}

/** Columns of the line table; without VAT there is no net or VAT column. */
function columnsOf({ vatRate }: Invoice): Column[] {
  const money = (label: string, width: number, part: 'price' | 'net' | 'vat' | 'gross') => ({
    label,
    width,
    isNumber: true,
    cell: (line: Invoice['lines'][number]) => pounds(line[part]),
  });
  const taxed = vatRate === null ? [] : [money('Net', 68, 'net'), money('VAT', 62, 'vat')];
  const numbers = [
    { label: 'Qty', width: 30, isNumber: true, cell: ({ qty }: { qty: number }) => String(qty) },
    money('Price', 70, 'price'),
  ];
  const rest = [...numbers, ...taxed, money('Amount', 76, 'gross')];
  const width = WIDTH - rest.reduce((sum, column) => sum + column.width, 0);
  return [{ label: 'Description', width, cell: ({ name, details }) => [name, details].filter(Boolean).join(', ') }, ...rest];
}

/** Write position; starts a new page where the next part does not fit. */
class Pen {
  y: number = PAGE.margin;
  readonly doc: Doc;
  readonly root: Element;

  constructor(doc: Doc, root: Element) {
    this.doc = doc;
    this.root = root;
  }

  /** Starts a new page if `height` points do not fit. Returns whether it did. */
  breakPageFor(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.doc.addPage();
    this.y = PAGE.margin;
    return true;
  }

  text(type: 'H1' | 'H2' | 'P', text: string, look: Look, { x = PAGE.margin, width = WIDTH }: { x?: number; width?: number } = {}): void {
    const lines = linesOf(this.doc, text, width, look);
    this.breakPageFor(lines.length * leading(look));
    this.root.add(this.doc.struct(type, {}, [() => this.write(lines, { x, width }, look)]));
  }

  write(lines: readonly string[], { x, width }: { x: number; width: number }, look: Look): void {
    this.y = writeLines(this.doc, lines, { x, y: this.y, width }, look);
  }

  /** Decorative: hidden from screen readers. */
  rule(): void {
    const { doc, y } = this;
    doc.markContent('Artifact', { type: 'Layout' });
    doc
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.width - PAGE.margin, y)
      .lineWidth(0.5)
      .strokeColor('#b9b0a4')
      .stroke();
    doc.endMarkedContent();
    this.y += 5;
  }
}

/** A row of cells, never split between pages. */
function writeRow(pen: Pen, parent: Element, type: 'TH' | 'TD', cells: readonly string[], columns: readonly Column[], look: Look): void {
  const { doc, y } = pen;
  const row = doc.struct('TR');
  parent.add(row);
  let [x, bottom] = [PAGE.margin, y];
  columns.forEach(({ width, isNumber }, index) => {
    const aligned: Look = { ...look, align: isNumber ? 'right' : 'left' };
    const lines = linesOf(doc, cells[index] ?? '', width - COLUMN_GAP, look);
    const place = { x: isNumber ? x + COLUMN_GAP : x, y, width: width - COLUMN_GAP };
    // The library's types lack the scope of a table header.
    const options = (type === 'TH' ? { scope: 'Column' } : {}) as object;
    row.add(
      doc.struct(type, options, [
        () => {
          bottom = Math.max(bottom, writeLines(doc, lines, place, aligned));
        },
      ]),
    );
    x += width;
  });
  row.end();
  pen.y = bottom + ROW_GAP;
}

const heightOf = (pen: Pen, cells: readonly string[], columns: readonly Column[], look: Look): number =>
  Math.max(...columns.map(({ width }, index) => linesOf(pen.doc, cells[index] ?? '', width - COLUMN_GAP, look).length)) * leading(look) +
  ROW_GAP;

function writeTable(pen: Pen, invoice: Invoice): void {
  const columns = columnsOf(invoice);
  const table = pen.doc.struct('Table');
  pen.root.add(table);
  const writeHead = () => {
    writeRow(
      pen,
      table,
      'TH',
      columns.map(({ label }) => label),
      columns,
      STRONG,
    );
    pen.rule();
  };
  writeHead();
  for (const line of invoice.lines) {
    const cells = columns.map(({ cell }) => cell(line));
    if (pen.breakPageFor(heightOf(pen, cells, columns, BODY))) writeHead();
    writeRow(pen, table, 'TD', cells, columns, BODY);
  }
  table.end();
  pen.rule();
}

function writeSums(pen: Pen, invoice: Invoice): void {
  const sums = sumsOf(invoice);
  // Counts the height of the note below too, so that it never stands alone on a page.
  pen.breakPageFor(sums.length * (leading(STRONG) + ROW_GAP) + GAP + 2 * leading(SMALL));
  const columns: Column[] = [
    { label: '', width: WIDTH - 90, isNumber: true, cell: () => '' },
    { label: '', width: 90, isNumber: true, cell: () => '' },
  ];
  const table = pen.doc.struct('Table');
  pen.root.add(table);
  for (const [label, amount] of sums) writeRow(pen, table, 'TD', [label, pounds(amount)], columns, label === 'Total' ? STRONG : BODY);
  table.end();
}

/** Seller and buyer side by side; screen readers read the seller first. */
function writeParties(pen: Pen, invoice: Invoice): void {
  const { seller, vatRate } = invoice;
  const [top, half] = [pen.y, WIDTH / 2 - 10];
  const block = (title: string, lines: string[], x: number) => {
    pen.y = top;
    pen.text('H2', title, STRONG, { x, width: half });
    for (const line of lines) pen.text('P', line, BODY, { x, width: half });
    return pen.y;
  };
  const registered = [`Company number ${seller.number}`, ...(vatRate === null ? [] : [`VAT number ${seller.vatNumber}`])];
  const left = block('From', [seller.name, seller.office, ...registered, seller.email], PAGE.margin);
  const right = block('To', buyerLines(invoice), PAGE.margin + WIDTH / 2 + 10);
  pen.y = Math.max(left, right) + GAP;
}

const LATINISED = 'Some letters are shown in the Latin alphabet here. The order page shows this document with the letters as typed.';

/** Whether any text has letters that the font lacks. */
function isLatinised(doc: Doc, invoice: Invoice): boolean {
  const { seller, buyer, lines, reason } = invoice;
  const texts = [
    ...Object.values(seller),
    ...buyerLines(invoice),
    buyer.business?.orderNumber ?? '',
    ...lines.flatMap(({ name, details }) => [name, details]),
    reason,
  ];
  const text = texts.join('');
  return writable(doc, text, BODY) !== text;
}

/** Decorative: the seller's name follows. */
function writeLogo(pen: Pen, logo: Uint8Array): void {
  const { doc, y } = pen;
  doc.markContent('Artifact', { type: 'Layout' });
  doc.image(Buffer.from(logo), PAGE.margin, y, { fit: [LOGO.width, LOGO.height] });
  doc.endMarkedContent();
  pen.y += LOGO.height + 12;
}

function writeInvoice(doc: Doc, invoice: Invoice, logo: Uint8Array | undefined): void {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const pen = new Pen(doc, root);
  if (logo) writeLogo(pen, logo);
  pen.text('P', invoice.seller.name, { size: 11, isBold: true });
  pen.y += 4;
  pen.text('H1', `${titleOf(invoice)} ${invoice.number}`, { size: 18, isBold: true });
  pen.y += 8;
  for (const [label, text] of factsOf(invoice)) pen.text('P', `${label}: ${text}`, BODY);
  pen.y += GAP;
  writeParties(pen, invoice);
  writeTable(pen, invoice);
  writeSums(pen, invoice);
  pen.y += GAP;
  pen.text('P', noteOf(invoice), SMALL);
  if (isLatinised(doc, invoice)) pen.text('P', LATINISED, SMALL);
  root.end();
  writePageNumbers(doc, invoice);
}

/** Decorative: hidden from screen readers. */
function writePageNumbers(doc: Doc, { number }: Invoice): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    doc.markContent('Artifact', { type: 'Pagination' });
    const place = { x: PAGE.margin, y: PAGE.height - PAGE.margin - 12, width: WIDTH };
    writeLines(doc, [`${number}, page ${page + 1} of ${count}`], place, { ...SMALL, align: 'right' });
    doc.endMarkedContent();
  }
}

/**
 * Renders a tagged PDF (headings, paragraphs, tables), with the seller's logo as a PNG if there is one. Deterministic: the same invoice gives the same
 * bytes. The library and its fonts are loaded on first use, to keep the start fast.
 */
export async function pdfOf(invoice: Invoice, logo?: Uint8Array): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const at = new Date(invoice.issuedAt);
  const Title = `${titleOf(invoice)} ${invoice.number}`;
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-GB',
    tagged: true,
    displayTitle: true,
    info: {
      Title,
      Author: invoice.seller.name,
      CreationDate: at,
      ModDate: at,
      Producer: invoice.seller.name,
      Creator: invoice.seller.name,
    },
  } as PDFKit.PDFDocumentOptions);
  registerFonts(doc);
  const whole = buffer(doc);
  writeInvoice(doc, invoice, logo);
  doc.end();
  return whole;
}
