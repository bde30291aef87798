import { pictureUrl } from '#contract/catalogue/pictures.ts';
import { DAY_MS } from '#contract/market/shop-time.ts';
import { accountJobs, mailOtp, removeOldOtps } from '#server/accounts/reset.service.ts';
import { removeOldSetUps } from '#server/accounts/second-factor/second-factor.service.ts';
import { alertJobs, askToConfirm, removeOldAlerts, tellOfReturns } from '#server/alerts/alerts.service.ts';
import { bookJobs, tellOfBook } from '#server/books/books.service.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { deriveOutdated } from '#server/catalogue/attributes/attributes.jobs.ts';
import { removeOldBulkEdits } from '#server/catalogue/bulk.service.ts';
import { fetchPicture, giveUpPicture } from '#server/catalogue/fetched-pictures.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { removeOrphanedPictures, removeTakenBack } from '#server/catalogue/pictures.jobs.ts';
import { showProduct } from '#server/catalogue/product-state.service.ts';
import { deleteOldEntries } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryJobs, tellOfParcel } from '#server/delivery/dispatch.jobs.ts';
import type { Attachment, Mail } from '#server/gateways/mail.ts';
import { signed } from '#server/gateways/mail-signature.ts';
import { packWebhook, removeOldMessages, sendWebhook, webhookJobs } from '#server/integrations/webhooks.jobs.ts';
import { readPdf } from '#server/invoices/pdf-cache.ts';
import { findInvoice, forgetOldBuyers } from '#server/invoices/read.service.ts';
import { moreNewsMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { forgetOld, forgetUnpaid } from '#server/orders/erase.service.ts';
import { makeEventMonths } from '#server/orders/events.jobs.ts';
import { tellOfDelivery } from '#server/orders/fulfil.service.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { keepOrderMail, removeOldMails } from '#server/orders/office/order-mails.service.ts';
import { sumSales } from '#server/orders/office/sales.service.ts';
import { removeOldNetworks } from '#server/orders/rules/ceilings.service.ts';
import { closeCorrection } from '#server/payments/difference.service.ts';
import { expireHold, findOutcomes, giveUpRefund, paymentJobs, reconcilePayments, refundPayment } from '#server/payments/payments.jobs.ts';
import { reconcileOutcomes, sendRefund } from '#server/payments/refunds.jobs.ts';
import { removeOldChanges } from '#server/platform/cache/catalogue-changes.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { declareJobs, deleteFailedJobs, enqueue, job, jobLabel, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { type FailedJob, runDue, startRunner, type Tasks } from '#server/platform/jobs/runner.ts';
import { askForReviews } from '#server/reviews/ask.jobs.ts';
import { removeVotesWithoutOrder } from '#server/reviews/votes.service.ts';
import { removeOldAddressLinks } from '#server/sessions/address-links.service.ts';
import { removeOldDevices } from '#server/sessions/devices.service.ts';
import { removeOldKeys } from '#server/sessions/keys.service.ts';
import { giveMailBack, mailboxHash, takeMail } from '#server/sessions/mail-limit.service.ts';
import { removeOldLimits } from '#server/sessions/rate-limit.service.ts';
import { removeOldSessions } from '#server/sessions/session.service.ts';
import { noticeJobs, sendStaffNotices, tellStaff } from '#server/staff-notices/notices.service.ts';
import { removeOldLinks } from '#server/wishlist/wishlist.service.ts';

/** All jobs of the shop, from the modules that queue them. */
export const JOBS = {
  ...accountJobs,
  ...alertJobs,
  ...bookJobs,
  ...catalogueJobs,
  ...deliveryJobs,
  ...mailJobs,
  ...noticeJobs,
  ...orderJobs,
  ...paymentJobs,
  ...webhookJobs,
  ...declareJobs({
    removeExpired: job({ label: 'Delete old data', at: { hour: 3, minute: 17 } }),
  }),
};

/** Sends a mail. Above its mailbox's hourly limit, a single mail at the end of the hour says that there was more. */
async function sendMail(services: Services, { hourly, orderId, ...mail }: PayloadOf<typeof mailJobs.sendMail>, key: string): Promise<void> {
  const { db, config, log } = services;
  const send = async () => {
    await sendWithFiles(services, mail, key);
    // It has left: a failure here must not send it twice.
    if (orderId)
      await keepOrderMail(db, orderId, { ...signed(mail, config), hourly }).catch((error: unknown) =>
        log.error(error, 'a sent mail could not be kept'),
      );
  };
  if (hourly === undefined) return send();
  const nextHour = await takeMail(db, mail.to, hourly * config.rateLimitFactor);
  if (nextHour !== undefined)
    return enqueue(db, mailJobs.sendMail, moreNewsMail(config, mail.to), { key: `more-${mailboxHash(mail.to)}`, runAt: nextHour });
  try {
    await send();
  } catch (error) {
    await giveMailBack(db, mail.to);
    throw error;
  }
}

/** Makes a mail's pictures and documents, and sends it. Best effort: a picture that cannot be made leaves a gap. */
async function sendWithFiles({ db, mailer, pictures, log }: Services, mail: Mail, key: string): Promise<void> {
  for (const id of mail.pictures ?? [])
    await pictures
      .makeForMail(id)
      .catch((error: unknown) => log.warn({ picture: id, reason: String(error) }, 'a mail goes without a picture'));
  await mailer.send(mail, key, await attachmentsOf({ db, pictures, log }, mail));
}

const withoutLimit = async () => undefined;

/** The files of a mail's documents. Best effort: they are on the order's page as well, and a mail must arrive. */
async function attachmentsOf(
  { db, pictures, log }: Pick<Services, 'db' | 'pictures' | 'log'>,
  { documents = [] }: Mail,
): Promise<Attachment[]> {
  const files: Attachment[] = [];
  for (const { _id, number } of documents)
    try {
      const invoice = await findInvoice(db, _id);
      if (invoice) files.push({ filename: `${number}.pdf`, content: await readPdf(invoice, pictures, withoutLimit) });
    } catch (error) {
      log.error({ document: number, reason: String(error) }, 'a mail goes without its document');
    }
  return files;
}

/** Encodes a picture's missing widths, those for a logo or favicon included: a restored shop has none. */
async function makeWidths({ pictures, config }: Services, { id }: PayloadOf<typeof catalogueJobs.makeWidths>): Promise<void> {
  if ([config.company.logo, config.favicon].includes(pictureUrl(id))) await pictures.makeMark(id);
  await pictures.makeWidths(id);
}

/** Notifies staff of a job that failed for good, unless it was itself an email to one of them. */
async function notifyOfFailure(tx: Tx, { config }: Services, { name, payload, reason }: FailedJob): Promise<void> {
  const { to } = payload as { to?: unknown };
  if (name === 'sendMail' && config.staff.notices.some(({ address }) => address === to)) return;
  await tellStaff(
    tx,
    { config },
    { event: 'job', text: `The job “${jobLabel(JOBS, name)}” failed for good: ${reason}`, path: '/admin/today' },
  );
}

/** Wrapped where the further parameters are not payload and key. */
const tasks: Tasks<Services, typeof JOBS> = {
  sendMail,
  mailOtp,
  refundPayment,
  sendRefund,
  expireHold,
  closeCorrection,
  reconcilePayments,
  reconcileOutcomes,
  findOutcomes,
  checkBooks: (services) => checkBooks(services),
  tellOfBook,
  makeWidths,
  showProduct,
  fetchPicture: (services, payload) => fetchPicture(services, payload),
  removeOrphanedPictures,
  removePictures: removeTakenBack,
  deriveAttributes: deriveOutdated,
  askForReviews,
  tellOfParcel,
  tellOfDelivery,
  confirmAlert: askToConfirm,
  tellOfReturns,
  sumSales,
  makeEventMonths,
  sendStaffNotices,
  packWebhook,
  sendWebhook: (services, payload) => sendWebhook(services, payload),
  removeExpired: async ({ db, config, mailer }) => {
    await removeOldSessions(db);
    await removeOldOtps(db);
    await removeOldAddressLinks(db);
    await removeOldLimits(db);
    await removeOldDevices(db);
    await removeOldNetworks(db);
    await removeVotesWithoutOrder(db);
    await removeOldChanges(db);
    await removeOldAlerts(db);
    await removeOldBulkEdits(db);
    await removeOldLinks(db);
    await removeOldSetUps(db);
    await forgetOldBuyers(db);
    await forgetUnpaid(db, config.company.unpaidDays);
    await forgetOld(db);
    await deleteFailedJobs(db, config.failedJobsDays);
    await removeOldMails(db, config.orderMailsDays);
    await removeOldMessages(db);
    await removeOldKeys(db);
    await deleteOldEntries(db, config.staff.logDays);
    await mailer.removeOld(new Date(Date.now() - config.mailFilesDays * DAY_MS));
  },
};

const work = {
  jobs: JOBS,
  tasks,
  onFailed: async (tx: Tx, services: Services, job: FailedJob) => {
    await notifyOfFailure(tx, services, job);
    // Without the error's class, such as `Error: `.
    if (job.name === 'fetchPicture')
      await giveUpPicture(tx, job.payload as PayloadOf<typeof catalogueJobs.fetchPicture>, job.reason.replace(/^\w+: /, ''));
    if (job.name === 'refundPayment') await giveUpRefund(tx, services, job.payload as PayloadOf<typeof orderJobs.refundPayment>);
  },
};

/** Starts working through the queue, until `stop`. */
export const startJobs = (services: Services): Promise<{ stop(): Promise<void> }> => startRunner(services, work);

/** Runs all due jobs (tests). */
export const runJobs = (services: Services): Promise<void> => runDue(services, work);
