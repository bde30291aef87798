import { z } from 'zod';

/** What an import of products would do, or did. Rows count as in a spreadsheet: the head is row 1. */
export const ImportReport = z.object({
  isDone: z.boolean(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  changes: z.array(z.object({ row: z.int(), name: z.string(), change: z.string() })),
  errors: z.array(z.object({ row: z.int(), column: z.string(), message: z.string() })),
  /** Names exactly these changes: sent back to carry them out, refused when the catalogue has become another. */
  fingerprint: z.string(),
});
/** Without a fingerprint the file is only checked. */
export const ImportForm = z.object({
  file: z.file('Choose a CSV file.').min(1, 'The file is empty.'),
  fingerprint: z.string().optional(),
});
