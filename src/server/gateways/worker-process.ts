import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { PICTURE_FORMATS, type PictureVariant, type View } from '#contract/catalogue/pictures.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { Problem } from '#contract/platform/problem.ts';
import { ROOT } from '#server/platform/root.ts';
import type { PictureSize } from './picture-encoder.ts';

export type Task =
  | { task: 'pdf'; invoice: Invoice; logo?: Uint8Array | undefined }
  | { task: 'reencode'; bytes: Uint8Array; filename: string; size?: PictureSize | undefined }
  | { task: 'checkModel'; bytes: Uint8Array; filename: string }
  | { task: 'silhouette'; bytes: Uint8Array; view: View }
  | ({ task: 'encode'; master: Uint8Array } & PictureVariant);
/** Bytes, a problem with the file, or an error of the process itself. */
export type Reply = { bytes: Uint8Array } | { problem: { status: number; message: string } } | { error: string };

interface Waiting {
  task: Task;
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

/** Timeouts of one task. */
const PICTURE_MS = 20_000;
const MODEL_MS = 20_000;
const PDF_MS = 20_000;
/** Idle time before the process is ended, which frees its memory. */
const IDLE_MS = 10_000;

/** Below requests on a busy machine, but not last: someone may be waiting for an upload. */
const NICENESS = 5;

const isForBrowsers = (format: PictureVariant['format']) => (PICTURE_FORMATS as readonly string[]).includes(format);

/** TypeScript when run from the sources (tests, development), otherwise the built program. */
const PROGRAM = join(ROOT, import.meta.url.endsWith('.ts') ? 'src/worker.ts' : 'dist/server/worker.js');

/**
 * A child process that does one task at a time, at low priority: pictures, models or PDFs. Starts on demand. Uploads and mails go before widths.
 * If it hangs or crashes, only that task fails.
 */
export class WorkerProcess {
  readonly #taskMs: number;
  readonly #urgent: Waiting[] = [];
  readonly #widths: Waiting[] = [];
  #child: ChildProcess | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(taskMs: number) {
    this.#taskMs = taskMs;
  }

  /** Throws a Problem if the file is refused or times out, and 503 if the process fails. */
  run(task: Task): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const isUrgent = task.task !== 'encode' || !isForBrowsers(task.format);
      const queue = isUrgent ? this.#urgent : this.#widths;
      queue.push({ task, resolve, reject });
      if (!this.#current) this.#next();
    });
  }

  #next(): void {
    this.#current = this.#urgent.shift() ?? this.#widths.shift();
    clearTimeout(this.#timer);
    const child = this.#current ? this.#started() : this.#child;
    if (!this.#current) {
      // Lets this process exit while the child is idle.
      child?.unref();
      child?.channel?.unref();
      this.#timer = setTimeout(() => this.#drop(child), IDLE_MS).unref();
      return;
    }
    child?.ref();
    child?.channel?.ref();
    this.#timer = setTimeout(() => this.#giveUp(child), this.#taskMs);
    child?.send(this.#current.task, (error) => error && child.kill('SIGKILL'));
  }

  /** Ends a process. Forgets it first: until its exit is noticed, new tasks would be sent to it. */
  #drop(child: ChildProcess | undefined): void {
    this.#child = undefined;
    child?.kill('SIGKILL');
  }

  /** Ends a process that exceeds the timeout, and refuses the file. */
  #giveUp(child: ChildProcess | undefined): void {
    this.#drop(child);
    this.#settle({ problem: { status: 413, message: 'The file takes too long to check. Please make it simpler or smaller.' } });
  }

  #started(): ChildProcess {
    if (this.#child) return this.#child;
    const child = fork(PROGRAM, { cwd: ROOT, serialization: 'advanced', stdio: 'ignore' });
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
    child.on('message', (reply: Reply) => {
      if (this.#child === child) this.#settle(reply);
    });
    const onEnd = () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#current) this.#settle({ error: 'The worker process ended.' });
    };
    child.once('exit', onEnd);
    child.once('error', onEnd);
    this.#child = child;
    return child;
  }

  #settle(reply: Reply): void {
    const settled = this.#current;
    this.#next();
    if (!settled) return;
    if ('bytes' in reply) settled.resolve(Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength));
    else if ('problem' in reply) settled.reject(new Problem(reply.problem.status, reply.problem.message));
    else
      settled.reject(
        Object.assign(new Problem(503, 'Files cannot be read or made right now, so nothing was changed. Please try again later.'), {
          cause: new Error(reply.error),
        }),
      );
  }
}

export const pictureProcess = new WorkerProcess(PICTURE_MS);
// Processes of their own, so that pictures need not wait for them.
export const modelProcess = new WorkerProcess(MODEL_MS);
export const pdfProcess = new WorkerProcess(PDF_MS);
