import { type SqlBool, sql } from 'kysely';
import { shopTime } from '#contract/market/shop-time.ts';
import type { LogEntry, LogFilters, LogPage, LogQuery } from '#contract/office/log.schema.ts';
import { LOG_KINDS } from '#contract/office/log.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { withinDays } from '#server/books/entries.service.ts';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow, inBatches } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** Before and after any requested day. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2999-12-31'];

/** Entries newest first, with the names of what they are about. Each filter has an index in this order. */
function selectEntries(db: Db, { kind, actor, from, to }: LogFilters, before: number | undefined, limit: number) {
  let entries = db.selectFrom('auditEntries').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  if (kind) entries = entries.where('entity', '=', kind);
  if (actor) entries = entries.where('actorId', '=', actor);
  if (from || to) entries = entries.where(withinDays('at', { from: from ?? FIRST_DAY, to: to ?? LAST_DAY }));
  if (before) entries = entries.where(sql<SqlBool>`(at, id) < (select at, id from audit_entries where id = ${before})`);
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

/** Administrators by name, and the requested account, which may no longer be an administrator. */
async function listActors(db: Db, actor: string | undefined): Promise<LogPage['actors']> {
  const actors = await db.selectFrom('users').select(['id as _id', 'name']).where('isAdmin', '=', true).orderBy(sql`lower(name)`).execute();
  if (!actor || actors.some(({ _id }) => _id === actor)) return actors;
  const last = await db
    .selectFrom('auditEntries')
    .select('actorName')
    .where('actorId', '=', actor)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return [...actors, { _id: actor, name: last?.actorName ?? 'Somebody else' }];
}

/** A page of the log. */
export async function readLog(db: Db, _: Admin, { before, ...filters }: LogQuery): Promise<LogPage> {
  const rows = await selectEntries(db, filters, before, PAGE_SIZE.admin + 1).execute();
  const entries = rows.slice(0, PAGE_SIZE.admin).map(({ id, at, entity, actorId, actorName, entityId, subject, change, fromAddress }) => ({
    _id: Number(id),
    at,
    kind: entity as LogEntry['kind'],
    actor: { _id: actorId, name: actorName },
    subject: entityId && subject ? { _id: entityId, name: subject } : null,
    change,
    from: fromAddress,
  }));
  return { entries, isMore: rows.length > entries.length, actors: await listActors(db, filters.actor) };
}

/** The log as CSV, newest first. */
export async function* exportLog(db: Db, _: Admin, filters: LogFilters): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(['Time', 'Who', 'Account', 'About', 'What', 'ID', 'Change', 'Address']);
  for await (const rows of inBatches((last: { id: number } | undefined, limit) =>
    selectEntries(db, filters, last && Number(last.id), limit).execute(),
  ))
    for (const { at, actorName, actorId, entity, subject, entityId, change, fromAddress } of rows)
      yield csvRow([
        shopTime(at),
        actorName,
        actorId ?? '',
        LOG_KINDS[entity as LogEntry['kind']],
        subject ?? '',
        entityId ?? '',
        change,
        fromAddress ?? '',
      ]);
}
