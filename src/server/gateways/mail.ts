import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import nodemailer from 'nodemailer';
import { v7 as uuid } from 'uuid';
import type { Config } from '#server/config.ts';
import type { Log } from '#server/services.ts';

/** A mail, ready to send: both parts say the same. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Resolves once the mail server, or the disk, has the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Mail by SMTP, or with no server set as one `.eml` file a mail under the data folder. */
export function mailer({ smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, log: Log): Mailer {
  if (smtpUrl) {
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
    const transport = nodemailer.createTransport({ url: smtpUrl, ...timeouts });
    return {
      async send(mail) {
        const start = performance.now();
        await transport.sendMail({ from: mailFrom, ...mail });
        log.info({ subject: mail.subject, ms: Math.round(performance.now() - start) }, 'mail sent');
      },
      close: () => transport.close(),
    };
  }
  const dir = resolve(dataDir, 'mail');
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await composer.sendMail({ from: mailFrom, ...mail });
      await mkdir(dir, { recursive: true });
      const file = join(dir, `${uuid()}.eml`);
      await writeFile(`${file}.part`, message as Buffer);
      await rename(`${file}.part`, file);
      log.info({ subject: mail.subject, file }, 'mail written');
    },
    close: () => composer.close(),
  };
}
