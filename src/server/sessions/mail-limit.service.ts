import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/** Mails per hour and mailbox. Unconfirmed addresses get fewer: they may be a stranger's. */
export const HOURLY_MAILS = { confirmed: 100, unconfirmed: 20 } as const;

/**
 * `Victim+1@example.com` → `victim@example.com`, `vic.tim@googlemail.com` → `victim@gmail.com`: addresses of one mailbox. For limits only, never to
 * identify accounts.
 */
export function mailboxOf(address: string): string {
  const mailbox = address
    .trim()
    .toLowerCase()
    .replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
  const [, name] = /^(.+)@(?:gmail|googlemail)\.com$/.exec(mailbox) ?? [];
  return name ? `${name.replaceAll('.', '')}@gmail.com` : mailbox;
}

/** Identifies a mailbox without storing its address. */
export const mailboxHash = (address: string): string => createHash('sha256').update(mailboxOf(address)).digest('base64url');

/** Counts a mail to a mailbox; mails of another kind are counted apart. Returns undefined if allowed, else the start of the next window (ISO). */
export async function takeMail(db: Db, to: string, hourly: number, kind = 'mail'): Promise<string | undefined> {
  // A window that ends later than a new one was set by a wrong clock and counts as ended.
  const hasEnded = sql`(old.resets_at < now() or old.resets_at > excluded.resets_at)`;
  const { rows } = await sql<{ tries: number; resetsAt: string }>`
    insert into rate_limits as old (key, tries, resets_at) values (${`${kind}:${mailboxHash(to)}`}, 1, now() + interval '1 hour')
    on conflict (key) do update set
      tries = case when ${hasEnded} then 1 else least(old.tries, ${hourly}) + 1 end,
      resets_at = case when ${hasEnded} then excluded.resets_at else old.resets_at end
    returning tries, resets_at as "resetsAt"`.execute(db);
  const [row] = rows;
  return row && row.tries > hourly ? row.resetsAt : undefined;
}

/** Uncounts a failed mail that will be retried. */
export async function giveMailBack(db: Db, to: string): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', '=', `mail:${mailboxHash(to)}`)
    .where('tries', '>', 0)
    .execute();
}
