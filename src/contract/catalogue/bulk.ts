import type { z } from 'zod';
import type * as schema from './bulk.schema.ts';

export type BulkEdit = z.infer<typeof schema.BulkEdit>;
export type BulkBody = z.infer<typeof schema.BulkBody>;
/** The body before it is parsed, as a screen sends it. */
export type BulkInput = z.input<typeof schema.BulkBody>;
export type Bulk = z.infer<typeof schema.Bulk>;
export type BulkReport = z.infer<typeof schema.BulkReport>;
