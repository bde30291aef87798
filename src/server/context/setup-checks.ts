import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** A part of the set-up that is checked by seeing it work (table `shop_marks`). `subject` is a fingerprint of its settings: changed ones are checked again. */
export interface SetupCheck {
  name: 'webhook' | 'mail' | 'backup';
  subject: string;
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

export const BACKUP_CHECK: SetupCheck = { name: 'backup', subject: '' };
export const webhookCheck = ({ stripe }: Pick<Config, 'stripe'>): SetupCheck => ({
  name: 'webhook',
  subject: fingerprint(stripe?.webhookSecret ?? ''),
});
export const mailCheck = ({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SetupCheck => ({
  name: 'mail',
  subject: fingerprint(`${smtpUrl} ${mailFrom}`),
});

/** Records that it works, at most once an hour. */
export async function recordWorking(db: Db, { name, subject }: SetupCheck): Promise<void> {
  await sql`
    insert into shop_marks (name, subject, seen_at) values (${name}, ${subject}, now())
    on conflict (name, subject) do update set seen_at = now()
      where shop_marks.seen_at is null or shop_marks.seen_at < now() - interval '1 hour'`.execute(db);
}

/** Records that a link was sent; following it passes the check (`followCheckLink`). A later link replaces it. */
export async function recordCheckLink(db: Db, { name, subject }: SetupCheck, hash: Buffer): Promise<void> {
  await db
    .insertInto('shopMarks')
    .values({ name, subject, tokenHash: hash, askedAt: sql<string>`now()` })
    .onConflict((conflict) => conflict.columns(['name', 'subject']).doUpdateSet({ tokenHash: hash, askedAt: sql<string>`now()` }))
    .execute();
}

/** Passes the check whose link was followed. Returns false for an unknown link. */
export async function followCheckLink(db: Db, token: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shopMarks')
    .set({ seenAt: sql<string>`now()` })
    .where('tokenHash', '=', tokenHash(token))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** When its last link was sent, and when it was last seen to work (ISO). */
export async function readCheck(db: Db, { name, subject }: SetupCheck): Promise<{ askedAt: string | null; seenAt: string | null }> {
  const row = await db
    .selectFrom('shopMarks')
    .select(['askedAt', 'seenAt'])
    .where('name', '=', name)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ?? { askedAt: null, seenAt: null };
}
