import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, ByText, Done } from '#contract/platform/lists.schema.ts';
import { AuditFilters, AuditPage, AuditQuery } from './audit.schema.ts';
import * as schema from './office.schema.ts';

export const readToday = endpoint('GET /api/office/today', {
  right: 'office',
  summary: 'Count the work waiting for staff, and list jobs that failed for good',
  reply: schema.Today,
});

export const retryJob = endpoint('POST /api/office/failed-jobs/:id/retry', {
  right: 'change settings',
  summary: 'Queue a job that failed for good again',
  errors: [404],
  params: ByText,
  reply: Done,
});

export const listOrderNotes = endpoint('GET /api/office/orders/:id/notes', {
  right: 'see orders',
  summary: 'Read the staff notes about an order and its customer',
  errors: [404],
  params: ById,
  reply: schema.StaffNotes,
});

export const addOrderNote = endpoint('POST /api/office/orders/:id/notes', {
  right: 'change orders',
  summary: 'Add a note about an order or its customer, for other staff',
  errors: [404, 409],
  params: ById,
  body: schema.OrderNoteBody,
  reply: schema.StaffNotes,
});

export const listCustomerNotes = endpoint('GET /api/office/users/:id/notes', {
  right: 'see customers',
  summary: 'Read the staff notes about a customer',
  errors: [404],
  params: ById,
  reply: schema.StaffNotes,
});

export const addCustomerNote = endpoint('POST /api/office/users/:id/notes', {
  right: 'change customers',
  summary: 'Add a note about a customer, for other staff',
  errors: [404, 409],
  params: ById,
  body: schema.NoteBody,
  reply: schema.StaffNotes,
});

export const removeNote = endpoint('DELETE /api/office/notes/:id', {
  right: 'change orders',
  summary: 'Delete a note of staff',
  errors: [404],
  params: ById,
  reply: Done,
});

export const listOrderTags = endpoint('GET /api/office/orders/:id/tags', {
  right: 'see orders',
  summary: 'Read the tags of an order and its customer',
  errors: [404],
  params: ById,
  reply: schema.StaffTags,
});

export const addOrderTag = endpoint('POST /api/office/orders/:id/tags', {
  right: 'change orders',
  summary: 'Tag an order or its customer',
  errors: [404, 409],
  params: ById,
  body: schema.OrderTagBody,
  reply: schema.StaffTags,
});

export const listCustomerTags = endpoint('GET /api/office/users/:id/tags', {
  right: 'see customers',
  summary: 'Read the tags of a customer',
  errors: [404],
  params: ById,
  reply: schema.StaffTags,
});

export const addCustomerTag = endpoint('POST /api/office/users/:id/tags', {
  right: 'change customers',
  summary: 'Tag a customer',
  errors: [404, 409],
  params: ById,
  body: schema.TagBody,
  reply: schema.StaffTags,
});

export const removeTag = endpoint('DELETE /api/office/tags/:id', {
  right: 'change orders',
  summary: 'Remove a tag from its order or customer',
  errors: [404],
  params: ById,
  reply: Done,
});

export const listKnownTags = endpoint('GET /api/office/tags', {
  right: 'see orders',
  summary: 'List the different tags of orders and customers',
  reply: schema.KnownTags,
});

export const readAudit = endpoint('GET /api/office/log', {
  right: 'manage staff',
  summary: 'Read who did what in the back office, newest first',
  query: AuditQuery,
  reply: AuditPage,
});

export const exportAudit = endpoint('GET /api/office/log/export', {
  right: 'manage staff',
  summary: 'Download the log as CSV, newest first',
  query: AuditFilters,
  download: 'log.csv',
});
