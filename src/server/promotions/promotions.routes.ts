import * as api from '#contract/promotions/promotions.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import {
  createPromotion,
  deletePromotion,
  listPromotions,
  readPromotionChanges,
  switchPromotion,
  updatePromotion,
} from './promotions.service.ts';

/** Discount codes and automatic promotions. */
export const promotionRoutes: readonly Route[] = [
  route(api.listPromotions, ({ query, who }, { db }) => listPromotions(db, who, query.pageNumber)),
  route(api.createPromotion, ({ body, who }, { db }) => createPromotion(db, who, body)),
  route(api.updatePromotion, ({ params, body, who }, { db }) => updatePromotion(db, who, params.id, body)),
  route(api.readPromotionChanges, ({ params, who }, { db }) => readPromotionChanges(db, who, params.id)),
  route(api.switchPromotion, ({ params, body, who }, { db }) => switchPromotion(db, who, params.id, body.isOn)),
  route(api.deletePromotion, ({ params, who }, { db }) => deletePromotion(db, who, params.id)),
];
