import type { z } from 'zod';
import type * as schema from './bulk.schema.ts';

export type BulkEdit = z.infer<typeof schema.BulkEdit>;
export type BulkBody = z.infer<typeof schema.BulkBody>;
/** As it is sent. */
export type BulkInput = z.input<typeof schema.BulkBody>;
export type Bulk = z.infer<typeof schema.Bulk>;
export type BulkReport = z.infer<typeof schema.BulkReport>;
