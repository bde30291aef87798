/** The kinds of things that entries of the audit log are about, with their names on the screen. */
export const AUDIT_KINDS = {
  order: 'Orders',
  product: 'Products',
  stock: 'Counts',
  promotion: 'Promotions',
  user: 'Accounts',
  login: 'Logins',
  settings: 'Settings',
  export: 'Downloads',
} as const;
export type AuditKind = keyof typeof AUDIT_KINDS;
