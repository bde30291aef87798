import { z } from 'zod';

/** The changes that an import of products would make or has made. Rows count as in a spreadsheet: the head is row 1. */
export const ImportReport = z.object({
  isDone: z.boolean(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /** Number of products with errors; the others can be imported. */
  leftOut: z.int(),
  /** Whether reading stopped at a broken row: then nothing can be imported. */
  isBroken: z.boolean(),
  changes: z.array(z.object({ row: z.int(), name: z.string(), change: z.string() })),
  errors: z.array(z.object({ row: z.int(), column: z.string(), message: z.string() })),
  /** Identifies these changes. It is sent back to carry them out, and refused if the catalogue has changed. */
  fingerprint: z.string(),
});
/** Without a fingerprint the file is only checked. */
export const ImportForm = z.object({
  file: z.file('Choose a CSV file.').min(1, 'The file is empty.'),
  fingerprint: z.string().optional(),
});
