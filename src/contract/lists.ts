import type { z } from 'zod';
import type * as schema from './lists.schema.ts';

export type Change = z.infer<typeof schema.Change>;
export type Done = z.infer<typeof schema.Done>;

/** Page sizes (clarifications on lists). */
export const PAGE_SIZE = { shop: 12, admin: 10, orderHistory: 6 } as const;

/** The number of pages that so many rows fill; an empty list still has one (specification §9). */
export function pagesOf(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}
