import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { Problem } from '#contract/platform/problem.ts';

type Limits = Pick<Endpoint, 'maxFileMb' | 'maxFiles'>;

interface FormTurn {
  /** Aborted once the sender has left (`senderOf`): the parser would wait for events that have been. */
  sender: AbortSignal;
  /** Whether others wait for the form's place. */
  isAwaited: () => boolean;
}

/** The usual limit of a file in megabytes. Files of an endpoint that takes larger ones are kept on disk. */
const MAX_FILE_MB = 10;

/** How long a form may take to arrive while others wait for its place. Shorter than they can wait. */
const PATIENCE_S = 10;

/** The files of a request that are kept on disk until they are removed. In memory, a price list of 50,000 rows took the shop to 407 MB. */
export class FilesOnDisk {
  #folder: string | undefined;
  #count = 0;
  /** The file that is written, one at a time. */
  #writing: Promise<unknown> = Promise.resolve();

  /** Throws 413 as the parser does. */
  keep(part: MultipartFile): Promise<File> {
    const written = this.#keep(part);
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #keep({ file, filename }: MultipartFile): Promise<File> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'shop-upload-'));
    this.#count += 1;
    const path = join(this.#folder, String(this.#count));
    await pipeline(file, createWriteStream(path));
    return new File([await openAsBlob(path)], filename ?? '');
  }

  async remove(): Promise<void> {
    await this.#writing;
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Reads a multipart body: texts and files by field name, as a list if a field is repeated. Throws 400, 413 or 415,
 * 408 for one that arrives slowly, and the reason of `sender` once it is aborted.
 */
export async function readMultipart(
  request: FastifyRequest,
  limits: Limits,
  onDisk: FilesOnDisk,
  { sender, isAwaited }: FormTurn,
): Promise<Record<string, unknown>> {
  sender.throwIfAborted();
  // Not `AbortSignal.any`: Node keeps such a signal, and so the form, in memory until it is aborted.
  const controller = new AbortController();
  const { signal } = controller;
  const onLeft = () => controller.abort(sender.reason);
  sender.addEventListener('abort', onLeft);
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    if (seconds >= PATIENCE_S && isAwaited()) controller.abort(new Problem(408, 'The upload took too long. Please try again.'));
  }, 1_000);
  const ended = new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason)));
  return Promise.race([readParts(request, limits, onDisk, signal), ended]).finally(() => {
    clearInterval(timer);
    // The sender's signal lasts as long as the request, whose refused body is read on: it must not keep what was read.
    sender.removeEventListener('abort', onLeft);
  });
}

/** Once `signal` is aborted, nothing that was read stays in memory. */
async function readParts(
  request: FastifyRequest,
  { maxFileMb = MAX_FILE_MB, maxFiles }: Limits,
  onDisk: FilesOnDisk,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw new Problem(415, 'Send the form as multipart/form-data.');
  const fields = new Map<string, (string | File)[]>();
  signal.addEventListener('abort', () => fields.clear());
  const add = (name: string, value: string | File) => fields.set(name, [...(fields.get(name) ?? []), value]);
  const read = (part: MultipartFile) => {
    addAbortSignal(signal, part.file);
    return maxFileMb > MAX_FILE_MB ? onDisk.keep(part) : readFile(part);
  };
  try {
    for await (const part of request.parts({ limits: { fileSize: maxFileMb * 1024 * 1024, ...(maxFiles && { files: maxFiles }) } }))
      add(part.fieldname, part.type === 'file' ? await read(part) : String(part.value));
  } catch (error) {
    const { code, part } = error as { code?: string; part?: { filename?: string } };
    if (code === 'FST_FILES_LIMIT') throw new Problem(413, 'Too many files were sent at once.');
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new Problem(413, `${part?.filename || 'The file'} is larger than ${maxFileMb} MB.`);
    // The parser's errors have a status only where a limit was exceeded, not for a truncated body; those of the disk name the call that failed.
    const { statusCode, syscall } = error as { statusCode?: number; syscall?: string };
    if (statusCode || syscall) throw error;
    throw new Problem(400, 'The form cannot be read.');
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

/** Reads a file without joining its parts first: a large one would be in memory three times. Throws 413 as the parser does. */
async function readFile({ file, filename }: MultipartFile): Promise<File> {
  const parts: Buffer[] = [];
  for await (const part of file) parts.push(part as Buffer);
  return new File(parts, filename ?? '');
}
