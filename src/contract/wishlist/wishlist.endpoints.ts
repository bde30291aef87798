import { endpoint } from '#contract/platform/endpoint.ts';
import { ByText, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './wishlist.schema.ts';

export const syncLists = endpoint('PUT /api/users/lists', {
  role: 'customer',
  allowsMissingSecondFactor: true,
  summary: 'Merge the wish list and the cart of a browser with those of your account, and read the result',
  errors: [429],
  maxBodyKb: 256,
  body: schema.SyncBody,
  reply: schema.SyncedLists,
});

export const shareOwnWishes = endpoint('POST /api/users/lists/link', {
  role: 'customer',
  summary: 'Create a link that shows the wish list of your account without your name',
  reply: schema.SharedLink,
});

export const endOwnLinks = endpoint('DELETE /api/users/lists/link', {
  role: 'customer',
  summary: 'End the links to your wish list',
  reply: Done,
});

export const readWishPieces = endpoint('POST /api/wishlists/pieces', {
  role: 'visitor',
  summary: 'Read the pieces of a wish list with today’s prices and stock',
  maxBodyKb: 80,
  body: schema.WishesBody,
  reply: schema.WishPieces,
});

export const shareWishes = endpoint('POST /api/wishlists', {
  role: 'visitor',
  summary: 'Share a wish list without an account, or store its changes',
  errors: [429],
  maxBodyKb: 80,
  body: schema.ShareBody,
  reply: schema.SharedLink,
});

export const endLink = endpoint('POST /api/wishlists/end', {
  role: 'visitor',
  summary: 'End the link to a wish list that was shared without an account',
  body: schema.KeyBody,
  reply: Done,
});

export const readSharedWishes = endpoint('GET /api/wishlists/:id', {
  role: 'visitor',
  summary: 'Read a shared wish list by the token of its link',
  errors: [404],
  params: ByText,
  reply: schema.WishPieces,
});
