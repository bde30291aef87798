import type { ShopSettings } from '#contract/settings/sections.schema.ts';

/** What the owner of “Oakwell Interiors” in Bristol types on the settings screens. */
export const OAKWELL = {
  shop: { name: 'Oakwell Interiors', strapline: 'Made in Bristol.', dark: '#1b2a49', accent: '#8a3b12', social: [] },
  company: {
    name: 'Oakwell Interiors Ltd',
    number: '07654321',
    office: '5 Dock Road, Bristol BS1 4XY',
    vatNumber: 'GB 987 654 321',
    vatRate: 20,
  },
  contact: {
    email: 'hello@oakwell.example',
    phone: '0117 496 0000',
    hours: 'Tuesday to Saturday, 10 to 5',
    showroom: '5 Dock Road, Bristol BS1 4XY',
    openingHours: [{ days: 'Tuesday to Saturday', times: '10:00 to 17:00' }],
    returnsAddress: 'Unit 2, Quay Works, Bristol BS2 0XY',
    mailFrom: 'shop@oakwell.example',
  },
  delivery: {
    methods: [
      {
        name: 'Standard delivery',
        price: 35,
        freeFrom: 600,
        cutOffHour: 12,
        minDays: 3,
        maxDays: 5,
        counted: 'working days',
        daysToChoose: 10,
        takes: 'all pieces',
      },
      {
        name: 'Two-person delivery',
        price: 75,
        freeFrom: null,
        cutOffHour: 12,
        minDays: 5,
        maxDays: 8,
        counted: 'working days',
        daysToChoose: 10,
        takes: 'all pieces',
      },
      {
        name: 'Express delivery',
        price: 60,
        freeFrom: null,
        cutOffHour: 12,
        minDays: 1,
        maxDays: 2,
        counted: 'all days',
        daysToChoose: null,
        takes: 'all pieces',
      },
    ],
    areas: [
      { postcodes: 'IV, HS, KW, ZE', surcharge: 45, extraDays: 4, without: 'Express delivery', refusal: '' },
      { postcodes: 'GY, JE', surcharge: 0, extraDays: 0, without: '', refusal: 'We do not deliver to the Channel Islands yet.' },
    ],
    calendar: [{ from: '2026-12-24', to: '2027-01-02', what: 'closed', note: 'Christmas' }],
    notices: [{ from: '2026-12-14', to: '2027-01-02', text: 'We are closed from 24 December to 2 January.' }],
  },
  carriers: {
    list: [
      { name: 'Severn Carriers', link: 'https://severn.example/{number}' },
      { name: 'Our own van', link: '' },
    ],
  },
  staff: {
    notices: [{ event: 'Everything', address: 'office@oakwell.example', when: 'at once' }] as [ShopSettings['staff']['notices'][number]],
    dailyHour: 8,
    lowStock: 2,
  },
  policies: { shipping: 'We deliver from Bristol with our own van and with carriers that we know.' },
} satisfies { [S in keyof ShopSettings]?: Partial<ShopSettings[S]> };
