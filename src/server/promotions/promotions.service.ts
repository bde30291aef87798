import { sql } from 'kysely';
import { shopTime } from '#contract/market/shop-time.ts';
import { PAGE_SIZE, pagesOf } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import { comparableCode } from '#contract/promotions/discount.ts';
import type { Promotion, PromotionBody, PromotionList } from '#contract/promotions/promotions.ts';
import { reductionText, scopeText } from '#contract/promotions/texts.ts';
import { type Change, listChanges, recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { GOODS, isSameCode } from './uses.service.ts';

/** Promotions with their uses, without those of cancelled and lapsed orders. `is_unused`: no order has ever had it, so that it can be deleted. */
const selectPromotions = sql`
  select id as _id, name, code, kind, value, least_subtotal, starts_at, ends_at, most_uses, most_uses_each, is_first_order, is_on, uses, given,
    ${GOODS} as goods,
    not exists (select from redemptions r where r.promotion_id = p.id) as is_unused,
    case
      when not is_on then 'off'
      when ends_at <= now() then 'ended'
      when uses >= most_uses then 'used up'
      when starts_at > now() then 'to come'
      else 'on'
    end as state
  from promotions p, lateral (
    select count(*)::int as uses, coalesce(sum(discount), 0)::bigint as given from redemptions r where r.promotion_id = p.id and r.is_used) used`;

/** A page of the promotions, newest first. */
export async function listPromotions(db: Db, _: Admin, pageNumber: number): Promise<PromotionList> {
  const { total } = await db.selectFrom('promotions').select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const pages = pagesOf(total, PAGE_SIZE.admin);
  const { rows } = await sql<Promotion>`
    ${selectPromotions} order by created_at desc, id desc limit ${PAGE_SIZE.admin} offset ${(pageNumber - 1) * PAGE_SIZE.admin}`.execute(
    db,
  );
  return { promotions: rows, page: pageNumber, pages, total };
}

/** The latest changes of a promotion; empty for an unknown one. */
export const readPromotionChanges = async (db: Db, _: Admin, id: string): Promise<{ changes: Change[] }> => ({
  changes: await listChanges(db, 'promotion', id),
});

async function readPromotion(db: Db, id: string): Promise<Promotion> {
  const { rows } = await sql<Promotion>`${selectPromotions} where id = ${id}::uuid`.execute(db);
  const [found] = rows;
  if (!found) throw new Problem(404, 'Promotion not found');
  return found;
}

async function lockPromotion(tx: Tx, id: string): Promise<{ name: string; code: string | null }> {
  const found = await tx.selectFrom('promotions').select(['name', 'code']).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!found) throw new Problem(404, 'Promotion not found');
  return found;
}

const columnsOf = ({ goods, ...columns }: PromotionBody) => ({ ...columns, ...goods });

/** What a promotion does, for the log: `WELCOME: 10% off, Sofa, from £100.00, until 2026-12-01 09:00`. */
function textOf(body: PromotionBody): string {
  const { name, code, startsAt, endsAt, isOn } = body;
  const parts = [
    reductionText(body),
    scopeText(body),
    startsAt && `from ${shopTime(startsAt)}`,
    endsAt && `until ${shopTime(endsAt)}`,
    !isOn && 'switched off',
  ];
  return `${code ? `${name}, ${code}` : name}: ${parts.filter(Boolean).join(', ')}`;
}

/** Throws 409 if another promotion has a new code, also with other hyphens, and 400 for an invalid product id. `before`: the promotion's code until now. */
async function check(tx: Tx, { code, goods }: PromotionBody, before: string | null): Promise<void> {
  if (!goods.products.every(isId)) {
    const message = 'One of these is not the ID of a piece. Find the pieces by name.';
    throw new Problem(400, message, { 'goods.products': message });
  }
  if (code === null || code === before) return;
  // Checked here, since the error of the unique index has no message for people, and allows codes that differ by hyphens.
  await lockName(tx, `code ${comparableCode(code)}`);
  const others = tx.selectFrom('promotions').select('code').where(isSameCode(code));
  const other = await others.where(sql<boolean>`code is distinct from ${before}`).executeTakeFirst();
  if (!other) return;
  const message = `There is already a code ${other.code}.`;
  throw new Problem(409, message, { code: message });
}

/** Creates a promotion. Throws 409 for a code that exists. */
export function createPromotion(db: Db, who: Admin, body: PromotionBody): Promise<Promotion> {
  return transactionOf(db, who, async (tx) => {
    await check(tx, body, null);
    const id = newId();
    await tx
      .insertInto('promotions')
      .values({ id, ...columnsOf(body) })
      .execute();
    await recordChange(tx, who, 'promotion', id, `Created ${textOf(body)}`);
    return readPromotion(tx, id);
  });
}

/** Changes a promotion; existing orders keep their discount. Throws 404, and 409 for a code that exists. */
export function updatePromotion(db: Db, who: Admin, id: string, body: PromotionBody): Promise<Promotion> {
  return transactionOf(db, who, async (tx) => {
    const { code } = await lockPromotion(tx, id);
    await check(tx, body, code);
    await tx.updateTable('promotions').set(columnsOf(body)).where('id', '=', id).execute();
    await recordChange(tx, who, 'promotion', id, `Changed to ${textOf(body)}`);
    return readPromotion(tx, id);
  });
}

/** Switches a promotion on or off. Throws 404. */
export function switchPromotion(db: Db, who: Admin, id: string, isOn: boolean): Promise<Promotion> {
  return transactionOf(db, who, async (tx) => {
    const { name } = await lockPromotion(tx, id);
    await tx.updateTable('promotions').set({ isOn }).where('id', '=', id).execute();
    await recordChange(tx, who, 'promotion', id, `Switched ${isOn ? 'on' : 'off'} ${name}`);
    return readPromotion(tx, id);
  });
}

/** Deletes a promotion that no order has had. Throws 404, and 409 for any other. */
export function deletePromotion(db: Db, who: Admin, id: string): Promise<{ message: string }> {
  return transactionOf(db, who, async (tx) => {
    const { name } = await lockPromotion(tx, id);
    const used = await tx.selectFrom('redemptions').select('orderId').where('promotionId', '=', id).limit(1).executeTakeFirst();
    if (used) throw new Problem(409, 'Orders have used this promotion, so it stays in the list. Switch it off instead.');
    await tx.deleteFrom('promotions').where('id', '=', id).execute();
    await recordChange(tx, who, 'promotion', id, `Deleted ${name}`);
    return { message: 'Promotion deleted' };
  });
}
