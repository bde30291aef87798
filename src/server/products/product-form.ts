import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isProblem, Problem } from '#contract/base/problem.ts';
import { parseWith } from '#server/http/route.ts';
import { type ImagePart, tooManyPictures } from './product-edits.service.ts';

/** Fields whose text is JSON. */
const JSON_FIELDS = new Set(['sizes', 'colors', 'measurements', 'stockBefore']);
const ABSENT = new Set(['', 'undefined', 'null']);

/**
 * Reads a multipart product form (clarifications on the API): repeated `images` parts in their order, everything else as fields. Without any
 * `images` part nothing is said of the pictures (undefined); one empty text part says that there are none. Throws 400, 413 or 415.
 */
export async function readProductForm<S extends z.ZodType>(
  request: FastifyRequest,
  schema: S,
): Promise<{ form: z.output<S>; images: ImagePart[] | undefined }> {
  if (!request.isMultipart()) throw new Problem(415, 'Send the product as multipart/form-data.');
  const { fields, images } = await readParts(request).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'FST_FILES_LIMIT') throw tooManyPictures();
    // The parser's own failures carry a status only where a limit was passed; a body that ends too soon does not.
    if (isProblem(error) || (error as { statusCode?: number }).statusCode) throw error;
    throw new Problem(400, 'The form cannot be read.');
  });
  return { form: parseWith(schema, fields), images };
}

async function readParts(request: FastifyRequest): Promise<{ fields: Record<string, unknown>; images: ImagePart[] | undefined }> {
  const fields: Record<string, unknown> = {};
  const images: ImagePart[] = [];
  let saysPictures = false;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer();
      // A file input without a file sends an empty part, which says nothing.
      if (part.fieldname === 'images' && bytes.length > 0) images.push({ bytes, filename: part.filename || 'The picture' });
    } else if (part.fieldname === 'images') {
      const url = String(part.value);
      if (!ABSENT.has(url)) images.push({ url });
      saysPictures ||= url === '';
    } else fields[part.fieldname] = fieldOf(part.fieldname, String(part.value));
  }
  return { fields, images: saysPictures || images.length > 0 ? images : undefined };
}

function fieldOf(name: string, text: string): unknown {
  if (!JSON_FIELDS.has(name)) return text;
  if (ABSENT.has(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, `${name} is not valid JSON.`, { [name]: 'Not valid JSON.' });
  }
}
