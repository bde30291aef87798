import { once } from 'node:events';
import type pg from 'pg';

/** What pg's connection also does; its published types leave these out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

/** A value of a COPY row; an array is written as PostgreSQL's array of text. */
export type CopyValue = string | number | boolean | null | string[];

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const escapeText = (text: string) => text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '');

function fieldOf(value: CopyValue): string {
  if (value === null) return '\\N';
  if (Array.isArray(value)) return escapeText(`{${value.map((entry) => `"${entry.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`);
  return typeof value === 'string' ? escapeText(value) : String(value);
}

/** One COPY statement, as pg's client drives it. */
class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #lines: Iterable<string>;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(text: string, lines: Iterable<string>) {
    this.#text = text;
    this.#lines = lines;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: Error) => connection.sendCopyFail(error.message),
    );
  }

  /** Sends in pieces of 64 KB and no faster than the server reads. */
  async #send(connection: CopyConnection): Promise<void> {
    let text = '';
    for (const line of this.#lines) {
      text += line;
      if (text.length < 65_536) continue;
      connection.sendCopyFromChunk(Buffer.from(text));
      text = '';
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
    if (text !== '') connection.sendCopyFromChunk(Buffer.from(text));
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

/** Writes rows by COPY, the fastest way in. The rows are made as they are sent. Throws what PostgreSQL says to one that does not fit. */
export async function copyRows(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  function* lines(): Generator<string> {
    for (const row of rows) yield `${row.map(fieldOf).join('\t')}\n`;
  }
  const copy = new CopyIn(`copy ${table} (${columns.join(', ')}) from stdin`, lines());
  client.query(copy);
  await copy.done;
}
