import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './promotions.schema.ts';

export const listPromotions = endpoint('GET /api/office/promotions', {
  right: 'see products',
  summary: 'List the discount codes and automatic promotions, newest first',
  query: schema.PromotionsQuery,
  reply: schema.PromotionList,
});

export const createPromotion = endpoint('POST /api/office/promotions', {
  right: 'change products',
  summary: 'Create a discount code, or a promotion that applies by itself',
  errors: [409],
  maxBodyKb: 256,
  body: schema.PromotionBody,
  reply: schema.Promotion,
  status: 201,
});

export const updatePromotion = endpoint('PUT /api/office/promotions/:id', {
  right: 'change products',
  summary: 'Change a promotion; orders keep the discount that they have',
  errors: [404, 409],
  params: ById,
  maxBodyKb: 256,
  body: schema.PromotionBody,
  reply: schema.Promotion,
});

export const readPromotionChanges = endpoint('GET /api/office/promotions/:id/changes', {
  right: 'see products',
  summary: 'Read the last changes of a promotion, newest first',
  params: ById,
  reply: schema.PromotionChanges,
});

export const switchPromotion = endpoint('PUT /api/office/promotions/:id/on', {
  right: 'change products',
  summary: 'Switch a promotion on or off',
  errors: [404],
  params: ById,
  body: schema.PromotionSwitch,
  reply: schema.Promotion,
});

export const deletePromotion = endpoint('DELETE /api/office/promotions/:id', {
  right: 'change products',
  summary: 'Delete a promotion that no order has had',
  errors: [404, 409],
  params: ById,
  reply: Done,
});
