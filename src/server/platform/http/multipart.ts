import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { Problem } from '#contract/platform/problem.ts';

type Limits = Pick<Endpoint, 'maxFileMb' | 'maxFiles'>;

/** The usual limit of a file in megabytes. */
const MAX_FILE_MB = 10;

/** How long a form may take to arrive while others wait for its place: less than these wait. */
const PATIENCE_S = 10;

/**
 * Reads a multipart body: texts and files by field name, as a list if a field is repeated. An endpoint can have limits of its own. Throws 400, 413 or 415,
 * and 408 for one that arrives slowly while others wait.
 */
export async function readMultipart(request: FastifyRequest, limits: Limits, isAwaited: () => boolean): Promise<Record<string, unknown>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    let seconds = 0;
    timer = setInterval(() => {
      seconds += 1;
      if (seconds >= PATIENCE_S && isAwaited())
        refuse(new Problem(408, 'The upload took too long while others were waiting. Please try again.'));
    }, 1_000);
  });
  return Promise.race([readParts(request, limits), late]).finally(() => clearInterval(timer));
}

async function readParts(request: FastifyRequest, { maxFileMb = MAX_FILE_MB, maxFiles }: Limits): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw new Problem(415, 'Send the form as multipart/form-data.');
  const fields = new Map<string, (string | File)[]>();
  try {
    for await (const part of request.parts({ limits: { fileSize: maxFileMb * 1024 * 1024, ...(maxFiles && { files: maxFiles }) } })) {
      const value = part.type === 'file' ? await readFile(part) : String(part.value);
      fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), value]);
    }
  } catch (error) {
    const { code, part } = error as { code?: string; part?: { filename?: string } };
    if (code === 'FST_FILES_LIMIT') throw new Problem(413, 'Too many files were sent at once.');
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new Problem(413, `${part?.filename || 'The file'} is larger than ${maxFileMb} MB.`);
    // The parser's errors have a status only where a limit was exceeded, not for a truncated body.
    if ((error as { statusCode?: number }).statusCode) throw error;
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
