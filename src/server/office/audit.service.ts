import { type SqlBool, sql } from 'kysely';
import { shopTime } from '#contract/market/shop-time.ts';
import type { AuditEntry, AuditFilters, AuditPage, AuditQuery } from '#contract/office/audit.schema.ts';
import { AUDIT_KINDS } from '#contract/office/audit.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { withinDays } from '#server/books/entries.service.ts';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inBatches } from '#server/platform/in-batches.ts';

/** Before and after any requested day. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2999-12-31'];

/** Entries, newest first, with the names of their subjects. Each filter has an index in this order. */
function selectEntries(db: Db, { kind, actor, from, to }: AuditFilters, beforeId: number | undefined, limit: number) {
  let entries = db.selectFrom('auditEntries').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  if (kind) entries = entries.where('entity', '=', kind);
  if (actor) entries = entries.where('actorId', '=', actor);
  if (from || to) entries = entries.where(withinDays('at', { from: from ?? FIRST_DAY, to: to ?? LAST_DAY }));
  if (beforeId) entries = entries.where(sql<SqlBool>`(at, id) < (select at, id from audit_entries where id = ${beforeId})`);
  return db
    .selectFrom(entries.as('entry'))
    .leftJoin('products', (join) => join.onRef('products.id', '=', 'entry.entityId').on('entry.entity', '=', 'product'))
    .leftJoin('orders', (join) => join.onRef('orders.id', '=', 'entry.entityId').on('entry.entity', '=', 'order'))
    .leftJoin('promotions', (join) => join.onRef('promotions.id', '=', 'entry.entityId').on('entry.entity', '=', 'promotion'))
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'entry.entityId').on('entry.entity', 'in', ['user', 'login']))
    .select([
      'entry.id',
      'entry.at',
      'entry.actorId',
      'entry.actorName',
      'entry.entity',
      'entry.entityId',
      'entry.change',
      'entry.fromAddress',
    ])
    .select(sql<string | null>`coalesce(products.name, orders.reference, promotions.name, users.email)`.as('subject'))
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc');
}

/** The people to filter by: administrators by name, and the account of the filter, which may no longer be one. */
async function listActors(db: Db, actor: string | undefined): Promise<AuditPage['actors']> {
  const actors = await db.selectFrom('users').select(['id as _id', 'name']).where('isAdmin', '=', true).orderBy(sql`lower(name)`).execute();
  if (!actor || actors.some(({ _id }) => _id === actor)) return actors;
  const latest = await db
    .selectFrom('auditEntries')
    .select('actorName')
    .where('actorId', '=', actor)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return [...actors, { _id: actor, name: latest?.actorName ?? 'Somebody else' }];
}

/** A page of the audit log. */
export async function readAudit(db: Db, _: Admin, { before, ...filters }: AuditQuery): Promise<AuditPage> {
  const rows = await selectEntries(db, filters, before, PAGE_SIZE.admin + 1).execute();
  const entries = rows.slice(0, PAGE_SIZE.admin).map(({ id, at, entity, actorId, actorName, entityId, subject, change, fromAddress }) => ({
    _id: id,
    at,
    kind: entity as AuditEntry['kind'],
    actor: { _id: actorId, name: actorName },
    subject: entityId && subject ? { _id: entityId, name: subject } : null,
    change,
    from: fromAddress,
  }));
  return { entries, isMore: rows.length > entries.length, actors: await listActors(db, filters.actor) };
}

/** The audit log as CSV, newest first. */
export async function* exportAudit(db: Db, _: Admin, filters: AuditFilters): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(['Time', 'Who', 'Account', 'About', 'What', 'ID', 'Change', 'Address']);
  for await (const rows of inBatches((last: { id: number } | undefined, limit) => selectEntries(db, filters, last?.id, limit).execute()))
    for (const { at, actorName, actorId, entity, subject, entityId, change, fromAddress } of rows)
      yield csvRow([
        shopTime(at),
        actorName,
        actorId ?? '',
        AUDIT_KINDS[entity as AuditEntry['kind']],
        subject ?? '',
        entityId ?? '',
        change,
        fromAddress ?? '',
      ]);
}
