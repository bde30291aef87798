import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Area } from '#contract/delivery/areas.ts';
import { isSetUpFree, policyTariffOf } from '#contract/delivery/policy-tariff.ts';
import { pounds } from '#contract/market/money.ts';
import { POLICY_NAMES, type Policy, type PolicyName } from '#contract/policies/policies.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import { filledIn, type POLICY_PLACEHOLDERS } from '#contract/settings/placeholders.ts';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { escapeMarkdown, renderMarkdown } from '#server/platform/markdown.ts';
import { ROOT } from '#server/platform/root.ts';

type Config = Services['config'];

const TITLES: Readonly<Record<PolicyName, { title: string; about: (shop: string) => string }>> = {
  terms: { title: 'Terms of service', about: (shop) => `The terms on which ${shop} sells furniture.` },
  privacy: { title: 'Privacy policy', about: (shop) => `What ${shop} knows about you, why, for how long, and what you can ask of us.` },
  shipping: { title: 'Shipping policy', about: (shop) => `Delivery methods, prices and times at ${shop}, across the UK.` },
  refunds: { title: 'Refund policy', about: (shop) => `How to ask ${shop} for a refund, when it arrives, and your rights under UK law.` },
};

/** The day on which the default texts were last changed. */
const DEFAULTS_CHANGED_AT = '2026-11-23T12:00:00.000Z';
const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' });
const dayInWords = (iso: string) => longDay.format(new Date(iso));

/** The texts until the owner writes their own. */
const DEFAULT_TEXTS = Object.fromEntries(
  POLICY_NAMES.map((name) => [name, readFileSync(join(ROOT, 'config/policies', `${name}.md`), 'utf8').trim()]),
) as Record<PolicyName, string>;

function areaRow({ postcodes, surcharge, extraDays, without, refusal }: Area, labelOf: (method: string) => string): string {
  const changes = [
    surcharge > 0 && `${pounds(surcharge)} more`,
    extraDays > 0 && `${extraDays} ${extraDays === 1 ? 'day' : 'days'} longer`,
    without.length > 0 && `not by ${without.map(labelOf).join(' or ')}`,
  ].filter(Boolean);
  return `| ${escapeMarkdown(postcodes)} | ${escapeMarkdown(refusal || changes.join(', '))} |`;
}

/** A table of the delivery methods, and one of the areas. */
function deliveryPrices({ delivery: { methods, areas } }: Config): string {
  const rows = policyTariffOf(methods).map(([method, time, price]) => `| ${escapeMarkdown(method)} | ${escapeMarkdown(time)} | ${price} |`);
  const labelOf = (id: string) => methods.find((method) => method.id === id)?.label ?? id;
  return [
    ['| Method | Time | Price |', '|---|---|---|', ...rows].join('\n'),
    isSetUpFree(methods) &&
      '**Delivery is free on every order at the moment.** We charge none of the prices above, and send everything by standard delivery.',
    areas.length > 0 && ['| Postcodes | There |', '|---|---|', ...areas.map((area) => areaRow(area, labelOf))].join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function howReturnsTravel({ company }: Config): string {
  if (company.collectsReturns) return 'We collect what you return from your home, free of charge, on a day that suits you.';
  return `We collect large pieces, those that take two people to carry, from your home, free of charge. Smaller pieces you send to us within ${RETURN_DAYS.send} days of our reply, which says where to. You pay for posting them, unless they are faulty, damaged or not what you ordered: then we do.`;
}

/** The values of the placeholders, as Markdown. */
function valuesOf(config: Config): Record<keyof typeof POLICY_PLACEHOLDERS, string> {
  const { shop, name, office, email, phone, showroom, vatNumber, unpaidDays } = config.company;
  return {
    shop: escapeMarkdown(shop),
    company: escapeMarkdown(name),
    office: escapeMarkdown(office),
    email: escapeMarkdown(email),
    phone: escapeMarkdown(phone),
    showroom: escapeMarkdown(showroom),
    andShowroom: showroom && ' and from its showroom',
    vatTerms: vatNumber ? ' and include VAT' : '. We are not registered for VAT, so none is charged',
    deliveryPrices: deliveryPrices(config),
    returnDays: String(RETURN_DAYS.ask),
    howReturnsTravel: howReturnsTravel(config),
    unpaidPeriod: `${unpaidDays} ${unpaidDays === 1 ? 'day' : 'days'}`,
  };
}

/** Renders a policy from the owner's text, or from the default if that is empty. `markdown` is the one used, with its placeholders. */
export function renderPolicy(
  config: Config,
  policy: PolicyName,
  text: string,
): { markdown: string; html: string; sections: Policy['sections'] } {
  const markdown = text || DEFAULT_TEXTS[policy];
  return { markdown, ...renderMarkdown(filledIn(markdown, valuesOf(config))) };
}

/** The owner's text at a time, by default now, and when it was first saved like that: undefined for a default that was never replaced. */
async function findText(db: Db, policy: PolicyName, at: string | undefined): Promise<{ text: string; since: string | undefined }> {
  const saved = await db
    .selectFrom('shopSettings')
    .select(['savedAt', sql<string>`coalesce(values ->> ${policy}, '')`.as('text')])
    .where('section', '=', 'policies')
    .where('savedAt', '<=', at ?? 'infinity')
    .orderBy('version', 'desc')
    .limit(100)
    .execute();
  const [{ text } = { text: '' }] = saved;
  const differing = saved.findIndex((version) => version.text !== text);
  const versionsWithText = differing < 0 ? saved : saved.slice(0, differing);
  const isUntouchedDefault = differing < 0 && text === '';
  return { text, since: isUntouchedDefault ? undefined : versionsWithText.at(-1)?.savedAt };
}

/** Reads a policy, or with `at` the one in force at that time, filled in with the settings of that time. */
export async function readPolicy(
  { db, config, settings, facts }: Pick<Services, 'db' | 'config' | 'settings' | 'facts'>,
  policy: PolicyName,
  at: string | undefined,
): Promise<Policy> {
  const rendered = await facts.getOrMakeByInput(`policy ${policy} ${at ? await versionsAt(db, at) : ''}`, ['settings'], async () => {
    const { text, since } = await findText(db, policy, at);
    return { since, ...renderPolicy(at ? await settings.configAt(at) : config, policy, text) };
  });
  const { title, about } = TITLES[policy];
  const note = at ? `As it was on ${dayInWords(at)}` : `Last updated on ${dayInWords(rendered.since ?? DEFAULTS_CHANGED_AT)}`;
  return { title, description: about(config.company.shop), sections: rendered.sections, html: rendered.html, note };
}

/** The versions of all settings in force at a time. In a cache key they stand for the policy's content. */
async function versionsAt(db: Db, at: string): Promise<string> {
  const { rows } = await sql<{ versions: string }>`
    select string_agg(section || version, ' ' order by section) as versions
    from (select section, max(version) as version from shop_settings where saved_at <= ${at} group by section) as latest`.execute(db);
  return rows[0]?.versions ?? 'none';
}
