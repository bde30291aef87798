import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { PictureVariant } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import { ROOT } from '#server/platform/root.ts';

/** What the picture process is asked to do. */
export type PictureTask =
  | { task: 'reencode' | 'checkModel'; bytes: Uint8Array; filename: string }
  | ({ task: 'encode'; master: Uint8Array } & PictureVariant);
/** Its answer: bytes, a problem of the picture, or an error of its own. */
export type PictureReply = { bytes: Uint8Array } | { problem: { status: number; message: string } } | { error: string };

interface Waiting {
  task: PictureTask;
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

/** A file that takes longer is given up. */
const PICTURE_MS = 60_000;
const MODEL_MS = 20_000;
/** So long without work, and the process is ended, and with it whatever memory it holds. */
const IDLE_MS = 10_000;

/** Requests come first on a busy machine, but somebody waits for an upload too. */
const NICENESS = 5;

/** From the sources (tests, development) the process runs as TypeScript, else as its own program of the build. */
const PROGRAM = join(ROOT, import.meta.url.endsWith('.ts') ? 'src/pictures.ts' : 'dist/server/pictures.js');

/**
 * A process of its own that decodes and encodes pictures, or checks models, one at a time and at low priority, and is started when there is
 * something to do. What somebody waits for, an upload or a mail, comes before widths. One that hangs or crashes takes its file with it, not the shop.
 */
export class PictureProcess {
  readonly #taskMs: number;
  readonly #urgent: Waiting[] = [];
  readonly #rest: Waiting[] = [];
  #child: ChildProcess | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(taskMs: number) {
    this.#taskMs = taskMs;
  }

  /** Throws the Problem of a file that is refused or takes too long, and 503 when the process fails. */
  run(task: PictureTask): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      (task.task !== 'encode' || task.format === 'jpeg' ? this.#urgent : this.#rest).push({ task, resolve, reject });
      if (!this.#current) this.#next();
    });
  }

  #next(): void {
    this.#current = this.#urgent.shift() ?? this.#rest.shift();
    clearTimeout(this.#timer);
    const child = this.#current ? this.#started() : this.#child;
    if (!this.#current) {
      // Nothing waits for it, so it does not keep this process from ending.
      child?.unref();
      child?.channel?.unref();
      this.#timer = setTimeout(() => child?.kill('SIGKILL'), IDLE_MS).unref();
      return;
    }
    child?.ref();
    child?.channel?.ref();
    this.#timer = setTimeout(() => this.#giveUp(child), this.#taskMs);
    child?.send(this.#current.task, (error) => error && child.kill('SIGKILL'));
  }

  /** Ends a process that takes too long for a file, and refuses the file. */
  #giveUp(child: ChildProcess | undefined): void {
    this.#child = undefined;
    child?.kill('SIGKILL');
    this.#settle({ problem: { status: 413, message: 'The file takes too long to check. Please make it simpler or smaller.' } });
  }

  #started(): ChildProcess {
    if (this.#child) return this.#child;
    const child = fork(PROGRAM, { cwd: ROOT, serialization: 'advanced', stdio: 'ignore' });
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
    child.on('message', (reply: PictureReply) => {
      if (this.#child === child) this.#settle(reply);
    });
    const gone = () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#current) this.#settle({ error: 'The picture process ended.' });
    };
    child.once('exit', gone);
    child.once('error', gone);
    this.#child = child;
    return child;
  }

  #settle(reply: PictureReply): void {
    const done = this.#current;
    this.#next();
    if (!done) return;
    if ('bytes' in reply) done.resolve(Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength));
    else if ('problem' in reply) done.reject(new Problem(reply.problem.status, reply.problem.message));
    else
      done.reject(
        Object.assign(new Problem(503, 'Pictures cannot be read right now, so nothing was changed. Please try again later.'), {
          cause: new Error(reply.error),
        }),
      );
  }
}

/** Shared by everything in this process that needs pictures made. */
export const pictureProcess = new PictureProcess(PICTURE_MS);
/** Checks models, for which no picture waits. */
export const modelProcess = new PictureProcess(MODEL_MS);
