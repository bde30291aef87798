import type { z } from 'zod';
import type * as schema from './wishlist.schema.ts';

export type { Lists, Wish } from './wishlist.schema.ts';
export type WishPiece = z.infer<typeof schema.WishPiece>;
export type SyncedLists = z.infer<typeof schema.SyncedLists>;
export type SyncBody = z.infer<typeof schema.SyncBody>;
export type ListedLine = SyncBody['mine']['cart'][number];
