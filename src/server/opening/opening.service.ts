import { may } from '#contract/accounts/roles.ts';
import { DAY_MS, shopTime } from '#contract/market/shop-time.ts';
import { OPENING_STEPS, type OpeningStep, type OpeningStepName } from '#contract/opening/opening.schema.ts';
import { fieldsOf, metaOf, type SectionName } from '#contract/settings/sections.schema.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { BACKUP_CHECK, mailCheck, readCheck, webhookCheck } from '#server/context/setup-checks.ts';
import { hasDemo } from '#server/demo/remove-demo.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { readConfig } from '#server/platform/settings/config.ts';

type Needs = Pick<Services, 'db' | 'config' | 'settings'>;
type State = Omit<OpeningStep, 'name'>;

const done = (text: string): State => ({ isDone: true, text });
const open = (text: string): State => ({ isDone: false, text });

/** A step for the person who runs the server. `chapter` is a heading of docs/operations.md. */
const openOnServer = (text: string, chapter: 'Settings' | 'Payments' | 'Backup and restore'): State =>
  open(`${text} Ask the person who runs your server: “${chapter}” in docs/operations.md explains it.`);

/** A backup older than this is no longer one to rely on. */
const BACKUP_DAYS = 7;
/** The company without any setting, which is the demo's. */
const DEMO = readConfig({}).company;

type CurrentSettings = Services['settings']['current'];

function marketStep({ market, isMarketSet }: Services['config']): State {
  if (market.name === 'uk') return done('In the UK: pounds everywhere, UK addresses, and delivery prices.');
  return isMarketSet
    ? done(
        'STORE_MARKET is classic: dollars in the list of orders, addresses in every country, delivery included until you set its prices.',
      )
    : openOnServer(
        'The shop lists orders in dollars and takes addresses in every country. To sell in the UK, set STORE_MARKET=uk on the machine and start the shop again; otherwise set it to classic.',
        'Settings',
      );
}

function shopStep({ shop }: CurrentSettings): State {
  if (shop.name === DEMO.shop) return open(`The shop is still called ${DEMO.shop}.`);
  return done(`${shop.name}, with ${shop.logo ? 'a logo' : 'its name in place of a logo'}.`);
}

function companyStep({ company }: CurrentSettings): State {
  if (company.name === DEMO.name) return open('This is still the demo’s company.');
  if (!company.name || !company.office) return open('The law requires your registered name and address on pages, emails and invoices.');
  return done(`${company.name}, ${company.office}.`);
}

function taxStep({ company }: CurrentSettings, isSaved: boolean): State {
  if (company.vatNumber && company.vatNumber === DEMO.vatNumber) return open('The VAT number is still the demo’s, which is made up.');
  if (company.vatNumber) return done(`${company.vatNumber}, at ${company.vatRate} per cent.`);
  return isSaved
    ? done('Not registered for VAT: no page or invoice says that prices include it.')
    : open('Enter your VAT number, or save “Company and tax” without one if you are not registered.');
}

function contactStep({ contact }: CurrentSettings): State {
  if (!contact.email || !contact.phone) return open('Customers need an email address and a phone number.');
  if (contact.email === DEMO.email || contact.phone === DEMO.phone)
    return open('These are still the demo’s email address and phone number.');
  if (contact.mailFrom.endsWith('@example.com')) return open(`Emails are still sent from ${contact.mailFrom}, which is made up.`);
  return done(`${contact.email}, ${contact.phone}. Emails come from ${contact.mailFrom}.`);
}

const deliveryStep = ({ delivery }: CurrentSettings, isSaved: boolean): State =>
  isSaved
    ? done(`${delivery.methods.map(({ name }) => name).join(', ')}.`)
    : open('Methods and prices are the ones the shop came with. Look through them, try a postcode and save.');

/** A text may be saved with a warning; then the step stays open. */
function policiesStep({ policies }: CurrentSettings, isSaved: boolean): State {
  if (!isSaved) return open('Terms, privacy, delivery and refunds are the default texts, which follow your settings. Read them and save.');
  const warnings = Object.entries(fieldsOf('policies')).flatMap(([name, field]) => {
    const { label, warning } = metaOf(field);
    const text = warning?.(policies[name as keyof typeof policies]);
    return text ? [`${label}: ${text}`] : [];
  });
  return warnings.length === 0 ? done('Read and saved.') : open(warnings.join(' '));
}

function paymentStep({ isSandbox, stripe }: Services['config']): State {
  if (isSandbox || !stripe)
    return openOnServer(
      'Card payments go to the payment sandbox: nothing is charged. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET on the server.',
      'Payments',
    );
  if (/^[a-z]+_test_/.test(stripe.secretKey)) return openOnServer('STRIPE_SECRET_KEY is a test key: nothing is charged.', 'Payments');
  return done('STRIPE_SECRET_KEY is a live key.');
}

async function webhookStep({ db, config }: Needs): Promise<State> {
  const address = `${config.publicUrl}/stripe/webhook`;
  if (config.isSandbox) return openOnServer(`Once the provider’s key is set, add the address ${address} to its dashboard.`, 'Payments');
  const { seenAt } = await readCheck(db, webhookCheck(config));
  return seenAt
    ? done(`The provider last called ${address} at ${shopTime(seenAt)}.`)
    : openOnServer(
        `The provider has not called ${address} yet. Add the address in its dashboard, then pay for an order or send a test event.`,
        'Payments',
      );
}

async function mailStep({ db, config }: Needs): Promise<State> {
  const { askedAt, seenAt } = await readCheck(db, mailCheck(config));
  if (!config.smtpUrl) return openOnServer(`Emails are saved as files in ${config.dataDir}/mail. Set SMTP_URL on the server.`, 'Settings');
  if (seenAt) return done(`A test email arrived at ${shopTime(seenAt)}.`);
  return askedAt
    ? open(`A test email was sent at ${shopTime(askedAt)}. Open it and follow its link; if it is not there, look in the spam folder.`)
    : open('Send yourself a test email. Its link proves that it arrived.');
}

async function backupStep({ db }: Needs): Promise<State> {
  const { seenAt } = await readCheck(db, BACKUP_CHECK);
  if (!seenAt)
    return openOnServer(
      'No backup has been made. On the server, run npm run backup -- FILE each night, or set BACKUP_WAL.',
      'Backup and restore',
    );
  const isOld = Date.now() - Date.parse(seenAt) > BACKUP_DAYS * DAY_MS;
  const text = `The last backup was made or tried out at ${shopTime(seenAt)}.`;
  return isOld ? openOnServer(`${text} That is more than ${BACKUP_DAYS} days ago.`, 'Backup and restore') : done(text);
}

async function secondFactorStep({ db }: Needs, who: Admin): Promise<State> {
  const administrators = await db
    .selectFrom('users')
    .leftJoin('secondFactors', 'secondFactors.userId', 'users.id')
    .select(['users.email', 'secondFactors.confirmedAt'])
    .where('isAdmin', '=', true)
    .orderBy('users.id')
    .execute();
  const withoutFactor = administrators.filter(({ confirmedAt }) => !confirmedAt).map(({ email }) => email);
  if (withoutFactor.length === 0) return done('Every administrator uses two-step login.');
  // Only those who manage staff see the names: it is a list of the accounts that are easiest to take over.
  if (!may(who, 'manage staff')) return open(`Without two-step login: ${withoutFactor.length}. Each of them sets it up in their profile.`);
  return open(
    `Without two-step login: ${withoutFactor.slice(0, 5).join(', ')}${withoutFactor.length > 5 ? ' and others' : ''}. Each of them sets it up in their profile.`,
  );
}

async function demoStep({ db }: Needs): Promise<State> {
  return (await hasDemo(db))
    ? open('The shop still has products or accounts of the demo.')
    : done('Nothing of the demo is left, except what you have made your own.');
}

async function savedSections(db: Db): Promise<ReadonlySet<SectionName>> {
  const rows = await db.selectFrom('shopSettings').select('section').distinct().execute();
  return new Set(rows.map(({ section }) => section as SectionName));
}

/** What is done and what is left before the shop opens, in the order of the screen. */
export async function readOpening(services: Needs, who: Admin): Promise<OpeningStep[]> {
  const { config, settings } = services;
  const saved = await savedSections(services.db);
  const current = settings.current;
  const states: Record<OpeningStepName, State> = {
    market: marketStep(config),
    shop: shopStep(current),
    company: companyStep(current),
    tax: taxStep(current, saved.has('company')),
    contact: contactStep(current),
    delivery: deliveryStep(current, saved.has('delivery')),
    policies: policiesStep(current, saved.has('policies')),
    payment: paymentStep(config),
    webhook: await webhookStep(services),
    mail: await mailStep(services),
    backup: await backupStep(services),
    secondFactor: await secondFactorStep(services, who),
    demo: await demoStep(services),
  };
  return OPENING_STEPS.map((name) => ({ name, ...states[name] }));
}
