import { createHash } from 'node:crypto';
import type { Db } from '#server/platform/database/connect.ts';
import { countInWindow, takeOff } from './windows.service.ts';

const HOUR_S = 3_600;

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

const keyOf = (to: string, kind: string) => `${kind}:${mailboxHash(to)}`;

/** Counts a mail to a mailbox; mails of another kind are counted apart. Returns undefined if allowed, else the start of the next window (ISO). */
export async function takeMail(db: Db, to: string, hourly: number, kind = 'mail'): Promise<string | undefined> {
  const { tries, resetsAt } = await countInWindow(db, keyOf(to, kind), HOUR_S, hourly);
  return tries > hourly ? resetsAt : undefined;
}

/** Uncounts a failed mail that will be retried. */
export const giveMailBack = (db: Db, to: string): Promise<void> => takeOff(db, [keyOf(to, 'mail')]);
