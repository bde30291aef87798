import { type Expression, type SqlBool, sql } from 'kysely';
import { may, ROLE_INFO, roleSuffix, type StaffRole } from '#contract/accounts/roles.ts';
import type { EditedUser, EditUserBody, ListUsersQuery, UserDetail, UserList } from '#contract/accounts/users.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import { listChanges, recordChange, refuseStale } from '#server/context/audit.ts';
import { type Admin, requireRight, requireStepUp, signedInAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { keepConfirmedEmail } from '#server/orders/erase.service.ts';
import { readTagsOf, taggedUsers } from '#server/orders/office/tags.ts';
import { sold } from '#server/orders/rules/states.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { contains } from '#server/platform/database/contains.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { forgetReviews } from '#server/reviews/erase.service.ts';
import { orAddressTaken } from './accounts.service.ts';
import { changeAddress, confirmedEmailOf, isSameEmail } from './addresses.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

const columns = ['id as _id', 'name', 'email', 'isAdmin', 'createdAt'] as const;
const editedColumns = [...columns, 'updatedAt', sql<StaffRole>`staff_role`.as('staffRole')] as const;
const NOT_FOUND = 'User not found';

/** Each sort has an index on `users`. */
const SORTS = {
  newest: { columns: ['created_at', 'id'], direction: 'desc' },
  name: { columns: ['lower(name)', 'id'], direction: 'asc' },
  email: { columns: ['lower(email)', 'id'], direction: 'asc' },
} as const;

/** One page of users, newest first by default; searched by id, email or name. */
export async function listUsers(db: Db, _: Admin, query: ListUsersQuery): Promise<UserList> {
  const list = { table: 'users', where: filterOf(query), sort: SORTS[query.sortBy], isIndexed: true } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber: query.pageNumber, pageSize: PAGE_SIZE.admin }, (ids) =>
    db.selectFrom('users').select(columns).where(isOneOf(ids)).execute(),
  );
  const tags = await readTagsOf(
    db,
    'user_id',
    rows.map(({ _id }) => _id),
  );
  return { users: rows.map((user) => ({ ...user, tags: tags.get(user._id) ?? [] })), ...page };
}

function filterOf({ search, role, tag }: ListUsersQuery): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`true`];
  if (search && isId(search)) conditions.push(sql<SqlBool>`id = ${search}::uuid`);
  else if (search) {
    // The trigram index needs three letters. With fewer, a table scan is faster than scanning the whole index, so `|| ''` keeps the index out.
    const text = search.length < 3 ? sql`(search || '')` : sql`search`;
    conditions.push(contains(text, search));
  }
  if (tag) conditions.push(sql<SqlBool>`id = any(${taggedUsers(tag)})`);
  if (role === 'admin') conditions.push(sql<SqlBool>`is_admin`);
  if (role === 'customer') conditions.push(sql<SqlBool>`not is_admin`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A user for the back office. Throws 404. */
export async function readUser(db: Db, who: Admin, id: string): Promise<UserDetail> {
  const user = await db
    .selectFrom('users')
    .select(editedColumns)
    .select([
      'isEmailConfirmed as isConfirmed',
      sql<number>`(select count(*) from orders where user_id = users.id and ${sold})`.as('orderCount'),
      sql<number>`(select coalesce(sum(total_price - waived_price - refunded_price - lost_price), 0) from orders where user_id = users.id and ${sold})`.as(
        'spent',
      ),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem(404, NOT_FOUND));
  // Changes of a colleague's account, such as of its two-step login, are shown only to those who manage staff.
  const isHidden = user.isAdmin && who._id !== id && !may(who, 'manage staff');
  const changes = isHidden ? [] : await listChanges(db, 'user', id);
  return { ...user, changes };
}

/**
 * Locks all administrators and the user, by id, to serialise changes of rights; then re-checks the session. Throws 401 or 403 if a
 * concurrent change ended the session or its rights.
 */
async function lockRights(
  tx: Tx,
  who: Admin,
  id: string,
): Promise<{ admin: Admin; isAdministrator: boolean; isLastAdministrator: boolean; isLastOwner: boolean }> {
  const locked = await tx
    .selectFrom('users')
    .select(['id', 'isAdmin', 'staffRole'])
    .where((eb) => eb.or([eb('isAdmin', '=', true), eb('id', '=', id)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const admin = await signedInAdmin({ db: tx, token: who.token, ip: who.ip }, who.right);
  const otherAdministrators = locked.filter((user) => user.isAdmin && user.id !== id);
  const isAdministrator = locked.some((user) => user.isAdmin && user.id === id);
  return {
    admin,
    isAdministrator,
    isLastAdministrator: otherAdministrators.length === 0,
    isLastOwner: !otherAdministrators.some(({ staffRole }) => staffRole === 'owner'),
  };
}

const lastAdministrator = () => new Problem(409, 'This is the last administrator. Give someone else the role first.');
const lastOwner = () =>
  new Problem(409, 'This is the last owner. Make someone else an owner first.', { staffRole: 'This is the last owner.' });

/**
 * Updates name, address and role. Throws 403 if re-authentication is needed or, for an administrator's account, without the right to manage staff; 404;
 * and 409 for a taken address, for demoting the last administrator or owner, and for a stale form, which could restore a role just removed.
 */
export async function editUser({ db, config }: Needs, who: Admin, id: string, edit: EditUserBody): Promise<EditedUser> {
  const { name, email, isAdmin } = edit;
  return orAddressTaken(() =>
    db.transaction().execute(async (tx) => {
      const { admin, isLastAdministrator, isLastOwner } = await lockRights(tx, who, id);
      const before = await tx
        .selectFrom('users')
        .select([...editedColumns, 'isEmailConfirmed', 'confirmedEmail', 'formerEmail'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(() => new Problem(404, NOT_FOUND));
      if (edit.updatedAt && edit.updatedAt !== before.updatedAt) await refuseStale(tx, 'user', id);
      // An administrator's address controls the back office: reset codes go there.
      if (before.isAdmin || isAdmin) requireRight(admin, 'manage staff');
      // Only administrators have a role; for customers the column keeps its default.
      const staffRole = isAdmin ? (edit.staffRole ?? before.staffRole) : 'owner';
      if (!isAdmin && isLastAdministrator) throw lastAdministrator();
      if (before.isAdmin && isLastOwner && !(isAdmin && staffRole === 'owner')) throw lastOwner();
      const isOtherStaffRole = isAdmin && before.isAdmin && before.staffRole !== staffRole;
      const hasNewAdminAddress = isAdmin && !isSameEmail(before.email, email);
      if (before.isAdmin !== isAdmin || isOtherStaffRole || hasNewAdminAddress) requireStepUp(who, config);
      const updatedAt = new Date().toISOString();
      // Codes go to the address: a key that changed it could become the customer.
      if (who.rights && before.email !== email)
        throw new Problem(403, 'An API key cannot change an email address. Please change it in the back office.');
      await changeAddress(tx, config, id, before, email, id === who._id);
      const user = await tx
        .updateTable('users')
        .set({ name, isAdmin, staffRole, updatedAt })
        .where('id', '=', id)
        .returning(editedColumns)
        .executeTakeFirstOrThrow();
      const changes = [
        before.name !== name && `name from “${before.name}” to “${name}”`,
        before.email !== email && 'email address',
        before.isAdmin !== isAdmin && (isAdmin ? `made an administrator${roleSuffix(staffRole)}` : 'no longer an administrator'),
        isOtherStaffRole && `role from ${ROLE_INFO[before.staffRole].label} to ${ROLE_INFO[staffRole].label}`,
      ].filter(Boolean);
      if (changes.length > 0) await recordChange(tx, who, 'user', id, `Changed: ${changes.join(', ')}`);
      return user;
    }),
  );
}

/**
 * Deletes a user with their reviews and votes; orders keep the name, and the address that was confirmed last, if any. Throws 403 if re-authentication is needed
 * or, for an administrator, without the right to manage staff; 404; and 409 for oneself and for the last administrator or owner.
 */
export async function deleteUser({ db, config }: Needs, who: Admin, id: string): Promise<void> {
  if (id === who._id) throw new Problem(409, 'You cannot delete your own account.');
  if (who.rights) throw new Problem(403, 'An API key cannot delete an account. Please do it in the back office.');
  requireStepUp(who, config);
  await db.transaction().execute(async (tx) => {
    const { admin, isAdministrator, isLastAdministrator, isLastOwner } = await lockRights(tx, who, id);
    if (isAdministrator) requireRight(admin, 'manage staff');
    if (isLastAdministrator) throw lastAdministrator();
    if (isAdministrator && isLastOwner) throw lastOwner();
    const account = await tx
      .selectFrom('users')
      .select(['email', 'isEmailConfirmed', 'confirmedEmail'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => new Problem(404, NOT_FOUND));
    await keepConfirmedEmail(tx, id, confirmedEmailOf(account));
    await forgetReviews(tx, id);
    await tx.deleteFrom('users').where('id', '=', id).execute();
    await recordChange(tx, who, 'user', id, 'Deleted the account');
  });
}
