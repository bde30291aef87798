import { z } from 'zod';
import { Piece } from '#contract/catalogue/catalogue.schema.ts';
import { CartLine } from '#contract/orders/orders.schema.ts';
import { TOO_MANY_LINES } from '#contract/orders/pieces.schema.ts';
import { MAX_LINES, MAX_WISHES, TOO_MANY_WISHES } from '#contract/platform/limits.ts';
import { Id } from '#contract/platform/lists.schema.ts';

/** A variant on a wish list; null where a product was saved without a choice of size or colour. */
const Wish = z.object({
  _id: CartLine.shape._id,
  size: z.string('The size must be text.').max(60, 'We do not recognise this size.').nullable().default(null),
  color: z.string('The colour must be text.').max(60, 'We do not recognise this colour.').nullable().default(null),
});
const Wishes = z.array(Wish, 'The wish list is missing.').max(MAX_WISHES, TOO_MANY_WISHES);

/** A line of an account's cart: a variant and its quantity. Name, picture and price are those of today. */
const ListedLine = Wish.extend({ qty: CartLine.shape.qty });

const lists = { wishes: Wishes, cart: z.array(ListedLine, 'The cart is missing.').max(MAX_LINES, TOO_MANY_LINES) };
const Lists = z.object(lists, 'The lists are missing.');

/** The browser's secret of a list that a visitor shared; the link's token is its hash. */
const Key = z.string('The key is missing.').regex(/^[0-9a-f]{64}$/, 'The key is not complete.');

export const SyncBody = z.object({
  /** The lists at the browser's last sync with this account; empty at login. */
  base: Lists,
  /** The lists in the browser. */
  mine: Lists,
  /** Key of a list shared before login; the account may end its link from now on. */
  key: Key.optional(),
});

/** A piece on a wish list, with today's price and stock. */
export const WishPiece = Piece.extend({
  wish: Wish,
  /** Whether a size still has to be chosen. */
  needsSize: z.boolean(),
  /** Whether `price` is the lowest of several sizes. */
  isFrom: z.boolean(),
  wasPrice: z.int().nullable(),
  piecesLeft: z.int(),
  rating: z.number(),
  reviewCount: z.int(),
});

export const SyncedLists = z.object({
  wishes: Wishes,
  /** `piece` is null where the variant is no longer sold. */
  cart: z.array(ListedLine.extend({ piece: Piece.nullable() })),
  /** Token of the account's share link; null if the list is not shared. */
  link: z.string().nullable(),
  /** Number of links from before login that still work. */
  oldLinks: z.int(),
});

export const WishesBody = z.object({ wishes: Wishes });
export const ShareBody = z.object({ key: Key, wishes: Wishes });
export const KeyBody = z.object({ key: Key });
export const SharedLink = z.object({ token: Id });
export const WishPieces = z.object({ pieces: z.array(WishPiece) });

export type Wish = z.output<typeof Wish>;
export type Lists = z.output<typeof Lists>;
