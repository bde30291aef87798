import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { MAX_LINES, MAX_WISHES } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { listsText, mergeLists } from '#contract/wishlist/merge.ts';
import { wishKey } from '#contract/wishlist/wish-key.ts';
import type { Lists, SyncBody, SyncedLists, Wish, WishPiece } from '#contract/wishlist/wishlist.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { linePiece, readListed, readPieces, stockOf } from './pieces.service.ts';

const EMPTY_LISTS: Lists = { wishes: [], cart: [] };

/** The longest variant that is stored, in bytes of its key. The longest size with a hex code has 113. */
const LONGEST_VARIANT = 120;
/** Whether an entry is stored. Another is no product, or was made to fill the disk; it stays in its browser. */
const isStored = (entry: Wish): boolean => isId(entry._id) && Buffer.byteLength(wishKey(entry)) <= LONGEST_VARIANT;
const storedOf = ({ wishes, cart }: Lists): Lists => ({ wishes: wishes.filter(isStored), cart: cart.filter(isStored) });

/** The token of a list that a visitor shared: the hash of its secret key. */
const tokenOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** The account's lists, locked until the transaction ends. */
async function lockLists(tx: Tx, who: Customer): Promise<Lists> {
  const lists = tx.selectFrom('accountLists').select(['wishes', 'cart']).where('userId', '=', who._id).forUpdate();
  const found = await lists.executeTakeFirst();
  if (found) return found;
  await tx
    .insertInto('accountLists')
    .values({ userId: who._id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return lists.executeTakeFirstOrThrow();
}

/**
 * An account's links: the token for its list, and the number of links that still show earlier shared lists. A link without stored `wishes` shows the
 * account's list.
 */
async function readLinks(db: Db, who: Customer): Promise<Pick<SyncedLists, 'link' | 'oldLinks'>> {
  // Without reading the lists of old links: an account may have taken over hundreds.
  const { rows } = await sql<Pick<SyncedLists, 'link' | 'oldLinks'>>`
    select max(token) filter (where wishes is null) as link, count(wishes)::int as old_links from wish_links where user_id = ${who._id}`.execute(
    db,
  );
  return rows[0] ?? { link: null, oldLinks: 0 };
}

/**
 * Merges the lists of a browser with those of its account (decision 134), stores the result, and answers it with today's names and prices. Quantities that
 * the browser did not show are lowered to the stock, but not below 1. A cart has one line for each product. What is not stored is answered all the same,
 * and left out of the base: it is new at each sync, so the browser keeps it.
 */
export async function syncLists(db: Db, who: Customer, { base, mine, key }: SyncBody): Promise<SyncedLists> {
  return customerTransactionOf(db, who, async (tx) => {
    const ofAccount = await lockLists(tx, who);
    const merged = mergeLists(storedOf(base), mine, ofAccount);
    const products = await readListed(tx, merged.cart);
    const shownQty = new Map(mine.cart.map((line) => [line._id, line.qty]));
    const cart = merged.cart.slice(0, MAX_LINES).map((line) => {
      const stock = shownQty.get(line._id) === line.qty ? undefined : stockOf(products, line);
      return stock === undefined ? line : { ...line, qty: Math.max(1, Math.min(line.qty, stock)) };
    });
    const wishes = merged.wishes.slice(0, MAX_WISHES);
    const stored = storedOf({ wishes, cart });
    if (listsText(stored) !== listsText(ofAccount))
      await tx
        .updateTable('accountLists')
        .set({ wishes: JSON.stringify(stored.wishes), cart: JSON.stringify(stored.cart), updatedAt: sql<string>`now()` })
        .where('userId', '=', who._id)
        .execute();
    // The link that they shared as a visitor still shows the same list, but now the account can end it.
    if (key)
      await tx.updateTable('wishLinks').set({ userId: who._id }).where('token', '=', tokenOf(key)).where('userId', 'is', null).execute();
    return { wishes, cart: cart.map((line) => ({ ...line, piece: linePiece(products, line) })), ...(await readLinks(tx, who)) };
  });
}

/** Removes from an account's cart what it has bought. */
export async function forgetBought(tx: Tx, userId: string, productIds: readonly string[]): Promise<void> {
  await sql`
    update account_lists set updated_at = now(), cart = (
      select coalesce(jsonb_agg(line order by place), '[]') from jsonb_array_elements(cart) with ordinality as lines (line, place)
      where line ->> '_id' <> all(${productIds}::text[]))
    where user_id = ${userId} and cart <> '[]'`.execute(tx);
}

/** The link to an account's list, created if needed. */
export async function shareOwnWishes(db: Db, who: Customer): Promise<{ token: string }> {
  return customerTransactionOf(db, who, async (tx) => {
    await lockLists(tx, who);
    const { link } = await readLinks(tx, who);
    if (link) return { token: link };
    const { token } = newLinkToken();
    await tx.insertInto('wishLinks').values({ token, userId: who._id }).execute();
    return { token };
  });
}

/** Ends all links of an account. */
export async function endLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('wishLinks').where('userId', '=', userId).execute();
}

/** Stores the list that a visitor shares, under the hash of a key that only their browser has. A link that an account has by now stays as it is. */
export async function shareWishes(db: Db, key: string, wishes: readonly Wish[]): Promise<{ token: string }> {
  const token = tokenOf(key);
  const shared = JSON.stringify(wishes.filter(isStored));
  await db
    .insertInto('wishLinks')
    .values({ token, wishes: shared })
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet({ wishes: shared, updatedAt: sql<string>`now()` }).where('wishLinks.userId', 'is', null),
    )
    .execute();
  return { token };
}

/** Ends the link of a list that a visitor shared, unless an account has it by now. Idempotent. */
export async function endLink(db: Db, key: string): Promise<void> {
  await db.deleteFrom('wishLinks').where('token', '=', tokenOf(key)).where('userId', 'is', null).execute();
}

/** A shared list, without its owner. Throws 404. */
export async function readSharedWishes(db: Db, token: string): Promise<WishPiece[]> {
  const shared = await db
    .selectFrom('wishLinks')
    .leftJoin('accountLists', 'accountLists.userId', 'wishLinks.userId')
    .select(sql<Wish[]>`coalesce(wish_links.wishes, account_lists.wishes, '[]')`.as('wishes'))
    .where('token', '=', token)
    .executeTakeFirstOrThrow(() => new Problem(404, 'This list is no longer shared.'));
  return readPieces(db, shared.wishes);
}

export async function exportLists(db: Db, userId: string) {
  const lists = await db.selectFrom('accountLists').select(['wishes', 'cart', 'updatedAt']).where('userId', '=', userId).executeTakeFirst();
  const links = await db
    .selectFrom('wishLinks')
    .select(['token', 'wishes', 'createdAt', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  return { ...EMPTY_LISTS, ...lists, links };
}

/** Deletes lists that visitors shared and have not changed for 180 days (a daily job). */
export async function removeOldLinks(db: Db): Promise<void> {
  await sql`delete from wish_links where user_id is null and updated_at < now() - interval '180 days'`.execute(db);
}
