import type { Mail } from '#server/gateways/mail.ts';
import { declareJobs, job } from '#server/platform/jobs/queue.ts';

export const mailJobs = declareJobs({
  /**
   * `hourly`: the mails that the mailbox may get in an hour. Without it there is no limit, for mails that must arrive. `orderId`: the order with which
   * the mail is kept.
   */
  sendMail: job<Mail & { hourly?: number; orderId?: string }>({ label: 'Send an email', mayHang: true }),
});
