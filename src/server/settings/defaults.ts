import { DEFAULT_CARRIERS } from '#contract/delivery/carriers.ts';
import { defaultDelivery } from '#contract/delivery/delivery-settings.ts';
import type { Company } from '#contract/market/company.ts';
import { DEFAULT_COLOURS } from '#contract/settings/palette.ts';
import { fieldsOf, RETURNS, REVIEWS_SHOWN, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { type Config, REDUCED_VAT, readConfig } from '#server/platform/settings/config.ts';

type EnvironmentConfig = Pick<Config, 'company' | 'vat' | 'vatRate' | 'mailFrom' | 'market' | 'cutOffHour' | 'staff' | 'catalogue'>;

/** A section of texts, all empty: mails have their default texts, the home page the pictures that come with the shop. */
const empty = <S extends 'mails' | 'home'>(section: S) =>
  Object.fromEntries(Object.keys(fieldsOf(section)).map((field) => [field, ''])) as ShopSettings[S];

/** The company without the demo's details. Values that the environment sets to something else stay. */
function withoutDemo(company: Company): Company {
  const [demo, other] = [readConfig({}).company, readConfig({ SHOP_NAME: 'Another shop' }).company];
  const names = Object.keys(company) as (keyof Company)[];
  const isDemo = (name: keyof Company) => JSON.stringify(company[name]) === JSON.stringify(demo[name]);
  return { ...company, ...Object.fromEntries(names.filter(isDemo).map((name) => [name, other[name]])) };
}

/**
 * The values of each section until the owner saves it: those of the environment. With another `name` than the environment's, they lack the demo's
 * company, contact and showroom.
 */
export function defaultsOf(config: EnvironmentConfig, name = config.company.shop): ShopSettings {
  const company = name === config.company.shop ? config.company : withoutDemo(config.company);
  const { email, phone, hours, showroom, returnsAddress, number, office, vatNumber } = company;
  return {
    shop: {
      name: config.company.shop,
      strapline: company.strapline,
      logo: '',
      favicon: '',
      ...DEFAULT_COLOURS,
      social: config.company.social.map(([label, address]) => ({ name: label, address })),
    },
    home: empty('home'),
    company: { name: company.name, number, office, vatNumber, vatRate: config.vatRate / 100, reducedVatRate: REDUCED_VAT / 100 },
    mails: empty('mails'),
    catalogue: config.catalogue,
    policies: { terms: '', privacy: '', shipping: '', refunds: '' },
    contact: {
      email,
      phone,
      hours,
      showroom,
      returns: RETURNS.posted,
      returnsAddress,
      openingHours: company.openingHours.map(([days, times]) => ({ days, times })),
      mailFrom: /<([^>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom,
    },
    carriers: { list: DEFAULT_CARRIERS },
    payment: company.payment,
    reviews: { shown: REVIEWS_SHOWN.atOnce, ratingSource: company.ratingSource },
    staff: config.staff,
    delivery: defaultDelivery(config.market.name, config.cutOffHour),
  };
}
