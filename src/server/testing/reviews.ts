import type { FastifyInstance } from 'fastify';
import type { Db } from '#server/platform/database/connect.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from './factories.ts';

interface Shop {
  app: FastifyInstance;
  db: Db;
}
interface Bought {
  _id: string;
  name: string;
  price: number;
}

/** An order of one product, marked as delivered. Returns its id. */
export async function aDelivery({ app, db }: Shop, buyer: SignedIn, product: Bought, line = {}): Promise<string> {
  const payload = aPayload([aLine(product, line)]);
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  const { _id } = placed.json<{ _id: string }>();
  const { headers } = await anAdmin(db);
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/deliver`, headers, payload: { isDelivered: true } });
  return _id;
}

/** A customer with a delivered order. */
export async function aBuyer(shop: Shop): Promise<SignedIn> {
  const buyer = await aCustomer(shop.db);
  await aDelivery(shop, buyer, await aProduct(shop.db));
  return buyer;
}

interface Typed {
  rating?: number | string;
  text?: string;
  /** New pictures, and the addresses of those that stay. */
  images?: (Buffer | string)[];
  /** The id of the review that is changed instead of a new one. */
  edits?: string;
}

/** Sends a review as the form does. */
export async function sendReview(
  { app }: Pick<Shop, 'app'>,
  who: SignedIn,
  productId: string,
  { rating = 4, text = '', images = [], edits }: Typed = {},
) {
  const form = new FormData();
  form.append('rating', String(rating));
  form.append('text', text);
  for (const image of images) {
    if (typeof image === 'string') form.append('images', image);
    else form.append('images', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'home.png');
  }
  const body = new Response(form);
  const headers = { ...who.headers, 'content-type': body.headers.get('content-type') ?? '' };
  const call = edits
    ? ({ method: 'PUT', url: `/api/reviews/${edits}` } as const)
    : ({ method: 'POST', url: `/api/products/${productId}/reviews` } as const);
  return app.inject({ ...call, headers, payload: Buffer.from(await body.arrayBuffer()) });
}

/** A review by a new customer with a delivered order. */
export async function aReview(
  shop: Shop,
  product: Bought,
  review: Typed & { name?: string } = {},
): Promise<{ _id: string; author: SignedIn }> {
  const { name, ...typed } = review;
  const author = await aCustomer(shop.db, name === undefined ? {} : { name });
  await aDelivery(shop, author, product);
  const reply = await sendReview(shop, author, product._id, typed);
  return { _id: reply.json<{ _id: string }>()._id, author };
}
