import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** Something that is seen to work, with the settings that it was seen with. */
export interface Mark {
  name: 'webhook' | 'mail' | 'backup';
  subject: string;
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

export const BACKUP_MARK: Mark = { name: 'backup', subject: '' };
export const webhookMark = ({ stripe }: Pick<Config, 'stripe'>): Mark => ({
  name: 'webhook',
  subject: fingerprint(stripe?.webhookSecret ?? ''),
});
export const mailMark = ({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mark => ({
  name: 'mail',
  subject: fingerprint(`${smtpUrl} ${mailFrom}`),
});

/** Notes that it works; at most once an hour. */
export async function seeMark(db: Db, { name, subject }: Mark): Promise<void> {
  await sql`
    insert into shop_marks (name, subject, seen_at) values (${name}, ${subject}, now())
    on conflict (name, subject) do update set seen_at = now()
      where shop_marks.seen_at is null or shop_marks.seen_at < now() - interval '1 hour'`.execute(db);
}

/** Notes that a link was sent, which proves it once it is followed. A later link replaces it. */
export async function askForMark(db: Db, { name, subject }: Mark, hash: Buffer): Promise<void> {
  await db
    .insertInto('shopMarks')
    .values({ name, subject, tokenHash: hash, askedAt: sql<string>`now()` })
    .onConflict((conflict) => conflict.columns(['name', 'subject']).doUpdateSet({ tokenHash: hash, askedAt: sql<string>`now()` }))
    .execute();
}

/** Notes that a link was followed. Returns false for an unknown one. */
export async function followMark(db: Db, token: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shopMarks')
    .set({ seenAt: sql<string>`now()` })
    .where('tokenHash', '=', tokenHash(token))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** When it was last asked for and seen (ISO). */
export async function readMark(db: Db, { name, subject }: Mark): Promise<{ askedAt: string | null; seenAt: string | null }> {
  const row = await db
    .selectFrom('shopMarks')
    .select(['askedAt', 'seenAt'])
    .where('name', '=', name)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ?? { askedAt: null, seenAt: null };
}
