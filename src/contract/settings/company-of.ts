import type { Company } from '#contract/market/company.ts';
import type { ShopSettings } from './sections.schema.ts';

/** The company as pages and mails show it, with the owner's settings. `base` has what is not set on a screen. */
export const companyOf = (base: Company, { shop, company, contact }: Pick<ShopSettings, 'shop' | 'company' | 'contact'>): Company => ({
  ...base,
  shop: shop.name,
  strapline: shop.strapline,
  social: shop.social.map(({ name, address }) => [name, address]),
  name: company.name,
  number: company.number.toUpperCase(),
  office: company.office,
  vatNumber: company.vatNumber.replace(/\s/g, '').toUpperCase(),
  email: contact.email,
  phone: contact.phone,
  hours: contact.hours,
  showroom: contact.showroom,
  openingHours: contact.openingHours.map(({ days, times }) => [days, times]),
  returnsAddress: contact.returnsAddress,
});
