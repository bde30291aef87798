import * as api from '#contract/office/office.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { exportAudit, readAudit } from './audit.service.ts';
import { addNote, listNotes, removeNote } from './notes.service.ts';
import { addTag, listKnownTags, listTags, removeTag } from './tags.service.ts';
import { readToday, retryJob } from './today.service.ts';

export const officeRoutes: readonly Route[] = [
  route(api.readToday, ({ who }, services) => readToday(services, who)),
  route(api.retryJob, ({ params, who }, services) => retryJob(services, who, params.id)),
  route(api.listOrderNotes, ({ params, who }, { db }) => listNotes(db, who, 'order', params.id)),
  route(api.addOrderNote, ({ params, body: { text, isAboutCustomer }, who }, { db }) =>
    addNote(db, who, { kind: 'order', id: params.id, isAboutCustomer }, text),
  ),
  route(api.listCustomerNotes, ({ params, who }, { db }) => listNotes(db, who, 'customer', params.id)),
  route(api.addCustomerNote, ({ params, body, who }, { db }) =>
    addNote(db, who, { kind: 'customer', id: params.id, isAboutCustomer: true }, body.text),
  ),
  route(api.listOrderTags, ({ params, who }, { db }) => listTags(db, who, 'order', params.id)),
  route(api.addOrderTag, ({ params, body: { tag, isOnCustomer }, who }, { db }) =>
    addTag(db, who, { kind: 'order', id: params.id, isOnCustomer }, tag),
  ),
  route(api.listCustomerTags, ({ params, who }, { db }) => listTags(db, who, 'customer', params.id)),
  route(api.addCustomerTag, ({ params, body, who }, { db }) =>
    addTag(db, who, { kind: 'customer', id: params.id, isOnCustomer: true }, body.tag),
  ),
  route(api.removeTag, ({ params, who }, { db }) => removeTag(db, who, params.id)),
  route(api.listKnownTags, ({ who }, { db }) => listKnownTags(db, who)),
  route(api.removeNote, ({ params, who }, { db }) => removeNote(db, who, params.id)),
  route(api.readAudit, ({ query, who }, { db }) => readAudit(db, who, query)),
  route(api.exportAudit, ({ query, who }, { db }) => exportAudit(db, who, query)),
];
