import * as api from '#contract/catalogue/bulk.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { checkBulkEdit, editMany, listBulkEdits, undoBulkEdit } from './bulk.service.ts';

const countText = (products: number) => (products === 1 ? '1 product has' : `${products} products have`);

/** Changes of a selection of products. */
export const bulkRoutes: readonly Route[] = [
  route(api.editMany, ({ body, who }, services) => (body.expected ? editMany(services, who, body) : checkBulkEdit(services, who, body))),
  route(api.listBulkEdits, async ({ who }, { db }) => ({ edits: await listBulkEdits(db, who) })),
  route(api.undoBulkEdit, async ({ params, who }, { db }) => {
    const { undone, left } = await undoBulkEdit(db, who, params.id);
    const others = left > 0 ? ` ${countText(left)} been changed since, and ${left === 1 ? 'was left alone' : 'were left alone'}.` : '';
    return { message: `${countText(undone)} ${undone === 1 ? 'its' : 'their'} old values back.${others}` };
  }),
];
