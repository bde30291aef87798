import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import nodemailer from 'nodemailer';
import { v7 as uuid } from 'uuid';
import { BUDGETS } from '#server/platform/budgets.ts';
import type { Log } from '#server/platform/log.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { signed } from './mail-signature.ts';

/** A mail ready to send; both parts have the same content. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Ids of the pictures shown. They are encoded before the mail is sent. */
  pictures?: string[];
  /** Invoices and credit notes that go with it; their files are made when it is sent. */
  documents?: MailDocument[];
}

export interface MailDocument {
  _id: string;
  /** Such as INV-000042. */
  number: string;
}

/** A file in a mail. */
export interface Attachment {
  filename: string;
  content: Buffer;
}

export interface Mailer {
  /**
   * Resolves once the mail is on the mail server or on disk. Idempotent by `key`: mail programs show a repeat once, and on disk it replaces
   * the first.
   */
  send(mail: Mail, key?: string, attachments?: Attachment[]): Promise<void>;
  /**
   * Does the work of `send` without sending, for a code to an unknown address: response times must not reveal which addresses have
   * accounts.
   */
  rehearse(mail: Mail): Promise<void>;
  /** Deletes mail files older than `before`. A mail server keeps its own. */
  removeOld(before: Date): Promise<void>;
  close(): void;
}

type Sender = Pick<Config, 'mailFrom' | 'company' | 'colours' | 'publicUrl' | 'picturesUrl'>;

/** `to` is passed as an object so that no text in it can add a recipient. Auto-Submitted stops auto-replies. */
const messageOf = (sender: Sender, { to, text, html, subject }: Mail, key: string, attachments: Attachment[] = []) => ({
  from: sender.mailFrom,
  messageId: `<${key}@${/@([\w.-]+)>?$/.exec(sender.mailFrom.trim())?.[1] ?? 'localhost'}>`,
  to: { name: '', address: to },
  ...signed({ subject, text, html }, sender),
  headers: { 'Auto-Submitted': 'auto-generated' },
  attachments,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Sends mail by SMTP or, without an SMTP server, writes one `.eml` file per mail to the data folder. The sender is read from `config` for each
 * mail, since the owner may change it.
 */
export function mailer(config: Sender & Pick<Config, 'smtpUrl' | 'dataDir'>, log: Log): Mailer {
  const { smtpUrl, dataDir } = config;
  return smtpUrl ? smtpMailer(smtpUrl, config, log) : fileMailer(resolve(dataDir, 'mail'), config, log);
}

const newComposer = () => nodemailer.createTransport({ streamTransport: true, buffer: true });

function smtpMailer(url: string, sender: Sender, log: Log): Mailer {
  const { mailConnection, mailSilence } = BUDGETS;
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: mailConnection,
    greetingTimeout: mailConnection,
    socketTimeout: mailSilence,
  });
  const composer = newComposer();
  return {
    async rehearse(mail) {
      await composer.sendMail(messageOf(sender, mail, uuid()));
      await transport.verify();
    },
    async send(mail, key = newKey(), attachments) {
      const start = performance.now();
      await transport.sendMail(messageOf(sender, mail, key, attachments));
      log.info({ subject: mail.subject, ms: Math.round(performance.now() - start) }, 'mail sent');
    },
    removeOld: async () => undefined,
    close: () => [transport.close(), composer.close()],
  };
}

/** The key of a mail that no job queued. It follows the clock, as jobs' keys do: a plain UUIDv7 would stay ahead after the clock was set back. */
const newKey = (): string => uuid({ msecs: Date.now() });

function fileMailer(dir: string, sender: Sender, log: Log): Mailer {
  const composer = newComposer();
  /** Writes to a `.part` file, so no reader takes it for a finished mail. */
  const write = async (mail: Mail, key: string, attachments?: Attachment[]): Promise<string> => {
    const { message } = await composer.sendMail(messageOf(sender, mail, key, attachments));
    const file = join(dir, `${key}.eml`);
    // Mails hold codes and links: nobody else on this machine reads them.
    const store = () => writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await store().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await store();
    });
    return file;
  };
  return {
    rehearse: async (mail) => rm(`${await write(mail, uuid())}.part`),
    async send(mail, key = newKey(), attachments) {
      const file = await write(mail, key, attachments);
      await rename(`${file}.part`, file);
      log.info({ subject: mail.subject, file }, 'mail written');
    },
    async removeOld(before) {
      const names = await readdir(dir).catch(() => [] as string[]);
      for (const name of names.filter((one) => /\.eml(\.part)?$/.test(one))) {
        const path = join(dir, name);
        if ((await stat(path)).mtime < before) await rm(path, { force: true });
      }
    },
    close: () => composer.close(),
  };
}
