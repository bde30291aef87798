import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './bulk.schema.ts';

export const editMany = endpoint('POST /api/office/bulk-edits', {
  right: 'change products',
  summary: 'Preview a change to a selection of products, or carry it out',
  errors: [409],
  maxBodyKb: 256,
  body: schema.BulkBody,
  reply: schema.BulkReport,
});

export const listBulkEdits = endpoint('GET /api/office/bulk-edits', {
  right: 'see products',
  summary: 'List the bulk changes that can still be undone',
  reply: schema.BulkList,
});

export const undoBulkEdit = endpoint('POST /api/office/bulk-edits/:id/undo', {
  right: 'change products',
  summary: 'Undo a bulk change, within ten minutes',
  errors: [404, 409],
  params: ById,
  reply: Done,
});
