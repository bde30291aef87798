import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isProblem, Problem } from '#contract/base/problem.ts';
import { ImportForm } from '#contract/catalogue.schema.ts';
import { parseWith } from '#server/http/route.ts';

/** Reads the multipart form of an import: its file as text, and the fingerprint of a check. Throws 400, 413 or 415. */
export async function readImportForm(request: FastifyRequest): Promise<z.output<typeof ImportForm>> {
  if (!request.isMultipart()) throw new Problem(415, 'Send the file as multipart/form-data.');
  const fields: Record<string, string> = {};
  try {
    for await (const part of request.parts({ limits: { files: 1 } })) {
      if (part.type === 'file') fields[part.fieldname] = textOf(await part.toBuffer());
      else fields[part.fieldname] = String(part.value);
    }
  } catch (error) {
    if (isProblem(error) || (error as { statusCode?: number }).statusCode) throw error;
    throw new Problem(400, 'The form cannot be read.');
  }
  return parseWith(ImportForm, fields);
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll('\0', '');
  } catch {
    throw new Problem(415, 'The file is not text in UTF-8. Save it as “CSV UTF-8”.');
  }
}
