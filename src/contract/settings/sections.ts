/**
 * What the owner sets on `/admin/settings`: sections of fields, in the order of the screen. The form, its checks, the server's, the file of
 * `npm run admin -- settings` and the history of changes read this table.
 */

import type { SettingFields, ValuesOf } from './fields.ts';
import { accentProblem, darkProblem } from './palette.ts';

const LINE = 200;

const emailProblem = (value: string) =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value) ? undefined : 'Write an email address, such as hello@example.com';
const linkProblem = (value: string) =>
  /^https:\/\/[^\s/?#]+\.[^\s/?#]+([/?#]\S*)?$/.test(value)
    ? undefined
    : 'Write the whole address, such as https://www.example.com/yourshop';

const TABLE = {
  shop: {
    title: 'The shop',
    about: 'What customers see on every page and in every email.',
    fields: {
      name: { kind: 'line', label: 'Trading name', max: 60, hint: 'In the header, in page titles and as the sender of emails.' },
      strapline: { kind: 'line', label: 'Strapline', max: 120, optional: true, hint: 'Below the name at the foot of every page.' },
      dark: { kind: 'line', type: 'color', label: 'Main colour', max: 7, check: darkProblem, hint: 'Buttons and the foot of the page.' },
      accent: {
        kind: 'line',
        type: 'color',
        label: 'Accent colour',
        max: 7,
        check: accentProblem,
        hint: 'The “&” of the name, notes of low stock, and the number in the cart.',
      },
      social: {
        kind: 'rows',
        label: 'Social links',
        row: 'link',
        optional: true,
        most: 8,
        columns: {
          name: { kind: 'line', label: 'Name', max: 40 },
          address: { kind: 'line', label: 'Address', max: 300, check: linkProblem },
        },
      },
    },
  },
  company: {
    title: 'Company and tax',
    about: 'The law asks for these on pages, emails and invoices. Invoices already issued keep what they say.',
    isProtected: true,
    fields: {
      name: { kind: 'line', label: 'Registered name', max: LINE, optional: true, hint: 'Such as Oakwell Interiors Ltd.' },
      number: {
        kind: 'line',
        label: 'Company number',
        max: 8,
        optional: true,
        check: (value) => (/^[A-Z\d]{2}\d{6}$/i.test(value) ? undefined : 'A company number has 8 characters, such as 01234567'),
        hint: 'At Companies House.',
      },
      office: { kind: 'line', label: 'Registered address', max: LINE, optional: true, hint: 'In one line.' },
      vatNumber: {
        kind: 'line',
        label: 'VAT number',
        max: 20,
        optional: true,
        check: (value) => (/^GB(\d{9}|\d{12})$/i.test(value.replace(/\s/g, '')) ? undefined : 'A VAT number is GB with 9 or 12 digits'),
        hint: 'Leave it empty if you are not registered: then no page, email or invoice says that prices include VAT.',
      },
      vatRate: {
        kind: 'number',
        label: 'VAT rate',
        least: 0,
        most: 100,
        decimals: 2,
        unit: 'per cent',
        hint: 'What prices include. Orders already placed keep their rate.',
      },
    },
  },
  contact: {
    title: 'Contact and showroom',
    about: 'How customers reach you, and where they find you. What is empty is not shown.',
    fields: {
      email: { kind: 'line', type: 'email', label: 'Email', max: LINE, optional: true, check: emailProblem },
      phone: {
        kind: 'line',
        type: 'tel',
        label: 'Phone',
        max: 30,
        optional: true,
        check: (value) => (/^\+?[\d\s()-]{7,}$/.test(value) ? undefined : 'Write a phone number, such as 0117 496 0000'),
      },
      hours: { kind: 'line', label: 'When the phone is answered', max: 120, optional: true },
      showroom: {
        kind: 'line',
        label: 'Showroom',
        max: LINE,
        optional: true,
        hint: 'Its address in one line. Leave it empty if you have none.',
      },
      openingHours: {
        kind: 'rows',
        label: 'Opening hours',
        row: 'row',
        hint: 'Of the showroom, exceptions included, such as “25 and 26 December”: “Closed”.',
        optional: true,
        most: 20,
        columns: { days: { kind: 'line', label: 'Days', max: 60 }, times: { kind: 'line', label: 'Times', max: 60 } },
      },
      returnsAddress: {
        kind: 'line',
        label: 'Returns address',
        max: LINE,
        optional: true,
        hint: 'Where customers post what they return; large pieces are collected. If it is empty, the registered address is used.',
      },
      mailFrom: {
        kind: 'line',
        type: 'email',
        label: 'Sender of emails',
        max: LINE,
        check: emailProblem,
        hint: 'Your mail server must be allowed to send from this address. The trading name stands beside it.',
      },
    },
  },
} as const satisfies Record<string, Section>;

interface Section {
  title: string;
  about: string;
  /** An administrator with a second factor enters a code again before saving. */
  isProtected?: true;
  fields: SettingFields;
}

export type SectionName = keyof typeof TABLE;
/** All settings, by section. */
export type ShopSettings = { [N in SectionName]: ValuesOf<(typeof TABLE)[N]['fields']> };

export const SECTIONS: Readonly<Record<SectionName, Section>> = TABLE;
export const SECTION_NAMES = Object.keys(TABLE) as [SectionName, ...SectionName[]];
