import { sql } from 'kysely';
import { roleSuffix, type StaffRole } from '#contract/accounts/roles.ts';
import { COMMAND_LINE, recordChange } from '#server/context/audit.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { orAddressTaken } from './accounts.service.ts';
import { freeAddress } from './addresses.service.ts';
import { hashUncommonPassword } from './password.ts';
import { endAccess, ONLY_ADDRESS } from './reset.service.ts';

/** Shown if there is no administrator to log in. */
export const NO_ADMINISTRATOR = 'There is no administrator yet. Make one: npm run admin -- you@example.com';

export async function hasAdministrator(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('isAdmin', '=', true).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Makes the account an administrator in a role, an owner by default. Anybody may have registered an address that was never confirmed: such an account
 * gets the new password, and its sessions end. Returns `unconfirmed` if that password is missing, and undefined for an unknown
 * address.
 */
export async function promoteUser(
  db: Db,
  email: string,
  role: StaffRole | undefined,
  password?: string,
): Promise<'promoted' | 'unchanged' | 'unconfirmed' | undefined> {
  const passwordHash = password && (await hashUncommonPassword(password));
  return db.transaction().execute(async (tx) => {
    // An account that changed to this address and never confirmed it goes back to its confirmed one: it is not the one to promote.
    await freeAddress(tx, email);
    const user = await tx
      .selectFrom('users')
      .select(['id', 'isAdmin', 'isEmailConfirmed', sql<StaffRole>`staff_role`.as('staffRole')])
      .where(hasEmail(email))
      .forUpdate()
      .executeTakeFirst();
    if (!user) return undefined;
    const staffRole = role ?? (user.isAdmin ? user.staffRole : 'owner');
    if (user.isAdmin && user.staffRole === staffRole) return 'unchanged';
    const { isEmailConfirmed } = user;
    if (!isEmailConfirmed && !passwordHash) return 'unconfirmed';
    if (!isEmailConfirmed && passwordHash) {
      // Codes then go to this address alone.
      await tx
        .updateTable('users')
        .set({ passwordHash, ...ONLY_ADDRESS })
        .where('id', '=', user.id)
        .execute();
      await endAccess(tx, user.id);
    }
    await tx
      .updateTable('users')
      .set({ isAdmin: true, staffRole, updatedAt: new Date().toISOString() })
      .where('id', '=', user.id)
      .execute();
    await recordChange(tx, COMMAND_LINE, 'user', user.id, `Changed: made an administrator${roleSuffix(staffRole)}`);
    return 'promoted';
  });
}

interface NewAdministrator {
  name: string;
  email: string;
  password: string;
  /** An owner by default. */
  role?: StaffRole | undefined;
}

/** Creates an administrator. Throws 409 if the address is taken. */
export async function createAdministrator(db: Db, user: NewAdministrator): Promise<void> {
  const { name, email, role: staffRole = 'owner' } = user;
  const passwordHash = await hashUncommonPassword(user.password);
  await orAddressTaken(() =>
    db.transaction().execute(async (tx) => {
      const id = newId();
      await tx.insertInto('users').values({ id, name, email, passwordHash, isAdmin: true, staffRole }).execute();
      await recordChange(tx, COMMAND_LINE, 'user', id, 'Created as an administrator');
    }),
  );
}
