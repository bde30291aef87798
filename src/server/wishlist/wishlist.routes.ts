import * as api from '#contract/wishlist/wishlist.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { readPieces } from './pieces.service.ts';
import { endLink, endLinks, readSharedWishes, shareOwnWishes, shareWishes, syncLists } from './wishlist.service.ts';

const ENDED = 'The link is ended.';

/** Wish lists, and the cart that follows an account. */
export const wishlistRoutes: readonly Route[] = [
  route(api.syncLists, ({ body, who }, { db }) => syncLists(db, who, body), { limit: 'lists', takesTurn: true }),
  route(api.shareOwnWishes, ({ who }, { db }) => shareOwnWishes(db, who), { takesTurn: true }),
  route(
    api.endOwnLinks,
    async ({ who }, { db }) => {
      await endLinks(db, who._id);
      return { message: ENDED };
    },
    { takesTurn: true },
  ),
  route(api.readWishPieces, async ({ body }, { db }) => ({ pieces: await readPieces(db, body.wishes) }), { takesTurn: true }),
  route(api.shareWishes, async ({ body }, ctx) => {
    const attempt = { ip: ctx.ip, account: '', factor: ctx.config.rateLimitFactor };
    await limit(ctx.db, 'wishlist', attempt);
    await limit(ctx.db, 'wishlistOfDay', attempt);
    return shareWishes(ctx.db, body.key, body.wishes);
  }),
  route(api.endLink, async ({ body }, { db }) => {
    await endLink(db, body.key);
    return { message: ENDED };
  }),
  route(api.readSharedWishes, async ({ params }, { db }) => ({ pieces: await readSharedWishes(db, params.id) }), { takesTurn: true }),
];
