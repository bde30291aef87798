/** What an entry of the log is about, with its name on the screen. */
export const LOG_KINDS = {
  order: 'Orders',
  product: 'Products',
  stock: 'Counts',
  promotion: 'Promotions',
  user: 'Accounts',
  login: 'Logins',
  settings: 'Settings',
  export: 'Downloads',
} as const;
export type LogKind = keyof typeof LOG_KINDS;
