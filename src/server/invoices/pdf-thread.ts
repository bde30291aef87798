import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { ROOT } from '#server/platform/root.ts';

/** Messages to and from the thread. */
export type PdfTask = { id: number; invoice: Invoice };
export type PdfReply = { id: number } & ({ bytes: Uint8Array } | { error: string });

/** TypeScript when run from the sources (tests, development), otherwise the built program. */
const PROGRAM = join(ROOT, import.meta.url.endsWith('.ts') ? 'src/pdfs.ts' : 'dist/server/pdfs.js');
/** Idle time before the thread ends: the library and its fonts hold about 40 MB. */
const IDLE_MS = 10_000;
const MOST_MB = 128;

interface Waiting {
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

/** A worker thread for PDFs, which take up to 250 ms each. Starts on demand and ends when idle. */
class PdfThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;

  write(invoice: Invoice): Promise<Buffer> {
    clearTimeout(this.#idle);
    this.#last += 1;
    const task: PdfTask = { id: this.#last, invoice };
    const written = new Promise<Buffer>((resolve, reject) => this.#waiting.set(task.id, { resolve, reject }));
    this.#started().postMessage(task);
    return written;
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: MOST_MB } });
    worker.unref();
    worker.on('message', (reply: PdfReply) => this.#settle(reply));
    worker.once('error', (error) => this.#ended(worker, error));
    worker.once('exit', () => this.#ended(worker, new Error('The thread of PDFs ended.')));
    this.#worker = worker;
    return worker;
  }

  #settle(reply: PdfReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('bytes' in reply) waiting?.resolve(Buffer.from(reply.bytes));
    else waiting?.reject(new Error(reply.error));
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE_MS).unref();
  }

  /** The next document starts a new thread. */
  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const thread = new PdfThread();

/** Renders an invoice as a PDF in the worker thread. */
export const writePdf = (invoice: Invoice): Promise<Buffer> => thread.write(invoice);
