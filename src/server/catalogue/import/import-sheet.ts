import { MAX_SIZES, TOO_MANY_SIZES } from '#contract/platform/limits.ts';
import { cut } from '#contract/platform/text.ts';
import { CsvError, delimiterOf, type Flaw, readCsv, textsOf } from '#server/platform/csv.ts';
import { foreignReader } from './foreign-sheets.ts';
import { EXPORTED, FILE_COLUMNS, kindOf, PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from './product-csv.ts';
import { columnOfHeading, HEADINGS, headingWithUnit, isSizeHeading, normalWords, SIZE_COLUMNS, SIZE_HEADING } from './product-words.ts';

/** Maximum products per file. */
const MAX_PRODUCTS = 50_000;

/** One size's row in the CSV that people edit. */
export interface SizeRow {
  row: number;
  size: string;
  cells: Partial<ProductCells>;
  /** The cell `_exported`. */
  exported: string;
}

/** One product in a file: its row and, in the CSV that people edit, the rows of its sizes. */
export interface SheetRow {
  row: number;
  cells: Partial<ProductCells>;
  /** The cell `_exported`. */
  exported: string;
  /** The cells are as people write them, not the form's values with lists as JSON. */
  isWords: boolean;
  /** The headings by column, for messages: those of the file, and of columns that it lacks those of an export. */
  headings: ReadonlyMap<string, string>;
  sizes: SizeRow[];
  flaws: Flaw[];
  /** A remark in the report besides the change. */
  note?: string;
}

/** A row that cannot be parsed; reading stops. */
export class BrokenSheet extends Error {
  readonly flaws: Flaw[];

  constructor(flaws: Flaw[]) {
    super(flaws[0]?.message);
    this.flaws = flaws;
  }
}
const broken = (row: number, message: string) => new BrokenSheet([{ row, column: '', message }]);

/** Detects the delimiter from the first line. Returns the text from its beginning. */
async function delimited(file: File): Promise<{ delimiter: string; texts: AsyncIterable<string> }> {
  const texts = textsOf(file);
  const { value: first = '' } = await texts.next();
  const whole = async function* () {
    yield first;
    yield* texts;
  };
  return { delimiter: delimiterOf(first), texts: whole() };
}

/** Streams a file product by product. Throws a BrokenSheet at a row that cannot be parsed. */
export async function* readSheet(file: File): AsyncGenerator<SheetRow> {
  const { delimiter, texts } = await delimited(file);
  let reader: Reader | undefined;
  try {
    for await (const { row, cells } of readCsv(texts, delimiter)) {
      if (!reader) {
        reader = readerOf(cells.map((cell) => cell.trim()));
        continue;
      }
      const ended = reader.add(row, cells);
      if (reader.count() > MAX_PRODUCTS) throw broken(row, `A file may have at most ${MAX_PRODUCTS.toLocaleString('en-GB')} products.`);
      if (ended) yield ended;
    }
  } catch (error) {
    if (error instanceof CsvError) throw broken(error.row, error.message);
    throw error;
  }
  if (!reader) throw broken(1, 'The file is empty.');
  yield* reader.end();
}

/** Groups rows into products. */
export interface Reader {
  /** Returns the previous product if it is complete and this row starts a new one. */
  add(row: number, cells: string[]): SheetRow | undefined;
  /** Number of products so far. */
  count(): number;
  /** The remaining products, at the end of the file. */
  end(): Iterable<SheetRow>;
}

function readerOf(head: string[]): Reader {
  const foreign = foreignReader(head);
  if (foreign) return foreign;
  const readRow = head.every((column) => FILE_COLUMNS.includes(column)) ? jsonRow(head) : wordRow(head);
  let open: SheetRow | undefined;
  let count = 0;
  const close = () => {
    const ended = open;
    open = undefined;
    return ended;
  };
  return {
    add(row, cells) {
      const { size, ...sheet } = readRow(row, cells);
      if (cells.length !== head.length) {
        const message = `The row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header row has ${head.length}.`;
        sheet.flaws.push({ row, column: '', message });
      }
      if (size !== undefined && open && belongs(sheet, open)) {
        addSize(open, sheet, size);
        return undefined;
      }
      const ended = close();
      open = size === undefined ? sheet : beginningWithSize(sheet, size, ended);
      count += 1;
      return ended;
    },
    count: () => count,
    end: () => {
      const last = close();
      return last ? [last] : [];
    },
  };
}

/** Whether a size's row belongs to the product above: both have the same id, or neither has one. */
const belongs = ({ cells }: SheetRow, above: SheetRow) => cells._id === above.cells._id;

function addSize({ sizes, flaws }: SheetRow, { row, cells, exported, flaws: rowFlaws }: SheetRow, size: string): void {
  if (sizes.length < MAX_SIZES) {
    sizes.push({ row, size, cells, exported });
    flaws.push(...rowFlaws);
  } else if (flaws.at(-1)?.message !== TOO_MANY_SIZES) flaws.push({ row, column: SIZE_HEADING, message: TOO_MANY_SIZES });
}

/** A product that begins with the row of a size, since the file does not have its own row. */
function beginningWithSize(sheet: SheetRow, size: string, above: SheetRow | undefined): SheetRow {
  const { row, cells, exported, flaws } = sheet;
  const message = above?.cells._id
    ? `This size has no ID. Write the ID of its product in this row too, such as ${above.cells._id} for the product above.`
    : 'This is a size without a product. Write the ID of its product, or put the row below that of a new product.';
  if (!cells._id) flaws.push({ row, column: SIZE_HEADING, message });
  return { ...sheet, cells: { _id: cells._id ?? '' }, exported: '', sizes: [{ row, size, cells, exported }] };
}

type ReadRow = (row: number, line: string[]) => SheetRow & { size: string | undefined };

function refuseDuplicates(names: string[]): void {
  if (new Set(names).size < names.length) throw broken(1, 'Two columns have the same name.');
}

/** Rows with the form's field names as headings. */
function jsonRow(head: string[]): ReadRow {
  refuseDuplicates(head);
  const headings = new Map(head.map((column) => [column, column]));
  return (row, line) => {
    const cells: Record<string, string> = Object.fromEntries(head.map((column, at) => [column, normalised(column, line[at] ?? '')]));
    const { [EXPORTED]: exported = '', ...rest } = cells;
    return { row, cells: rest as Partial<ProductCells>, exported, isWords: false, headings, sizes: [], flaws: [], size: undefined };
  };
}

const isProductColumn = (column: string | undefined): column is ProductColumn => PRODUCT_COLUMNS.includes(column as ProductColumn);

/** Rows of the CSV that people edit. */
function wordRow(head: string[]): ReadRow {
  const columns = head.map((heading) =>
    heading === EXPORTED ? EXPORTED : isSizeHeading(heading) ? SIZE_HEADING : columnOfHeading(heading),
  );
  const unknown = head.filter((_, at) => columns[at] === undefined);
  const headingNames = [...HEADINGS.values(), SIZE_HEADING].join(', ');
  if (unknown.length > 0)
    throw new BrokenSheet(
      unknown.map((heading) => {
        const meant = headingWithUnit(heading);
        const message = meant
          ? `The brackets do not have this column’s unit. Write “${meant}”, and the values in that unit.`
          : `There is no column with this name. The columns are: ${headingNames}.`;
        return { row: 1, column: cut(heading, 60), message };
      }),
    );
  refuseDuplicates(columns.map(String));
  const headings = new Map<string, string>([...HEADINGS, ...columns.map((column, at) => [String(column), head[at] ?? ''] as const)]);
  const hasIds = columns.includes('_id');
  return (row, line) => {
    const cellsOfRow = new Map(columns.map((column, at) => [column, line[at] ?? '']));
    const size = cellsOfRow.get(SIZE_HEADING)?.trim() || undefined;
    // A file without ids has only new products.
    const cells: Partial<ProductCells> = hasIds ? {} : { _id: '' };
    for (const [column, cell] of cellsOfRow) {
      // A size's row leaves the product's own fields to the product's row.
      if (isProductColumn(column) && (size === undefined || column === '_id' || SIZE_COLUMNS.includes(column)))
        cells[column] = normalWords(column, cell);
    }
    return { row, cells, exported: cellsOfRow.get(EXPORTED) ?? '', isWords: true, headings, sizes: [], flaws: [], size };
  };
}

/** Normalises a cell: spreadsheets write TRUE and pad numbers, and people reformat JSON. */
function normalised(column: string, cell: string): string {
  switch (kindOf(column)) {
    case 'flag':
      return cell.trim().toLowerCase();
    case 'money':
    case 'count':
      return cell.trim();
    case 'json':
      try {
        return JSON.stringify(JSON.parse(cell));
      } catch {
        return cell;
      }
    default:
      return cell;
  }
}
