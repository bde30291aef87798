/** The rights of administrators. Each back-office call names the right that it needs. */
export const RIGHTS = [
  // What all staff need: counts of waiting work, their own second factor, reading the settings.
  'office',
  'see orders',
  'change orders',
  'see products',
  'change products',
  'see money',
  'move money',
  'see customers',
  'change customers',
  'change settings',
  // Making administrators, and choosing their roles.
  'manage staff',
] as const;
export type Right = (typeof RIGHTS)[number];

/** The roles of administrators, in the order of the screen. The specified calls make owners. */
export const STAFF_ROLES = ['owner', 'orders', 'catalogue', 'money', 'read-only'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

interface RoleInfo {
  label: string;
  /** The description on the user's screen. */
  about: string;
  rights: readonly Right[];
}

const SEE_RIGHTS = ['office', 'see orders', 'see products', 'see money', 'see customers'] as const satisfies readonly Right[];

export const ROLE_INFO: Record<StaffRole, RoleInfo> = {
  owner: { label: 'Owner', about: 'Can do everything, and decides what other staff can do.', rights: RIGHTS },
  orders: {
    label: 'Orders',
    about: 'Takes, packs, dispatches, corrects and cancels orders, receives returns, looks after customers. Cannot make refunds by hand.',
    rights: ['office', 'see orders', 'change orders', 'see products', 'see customers', 'change customers'],
  },
  catalogue: {
    label: 'Catalogue',
    about: 'Products, stock, sales, promotions and reviews. Cannot see orders or customers.',
    rights: ['office', 'see products', 'change products'],
  },
  money: {
    label: 'Money',
    about: 'Refunds, books, reports and VAT. Can also see orders, products and customers.',
    rights: [...SEE_RIGHTS, 'move money'],
  },
  'read-only': { label: 'Read-only', about: 'Can see everything and change nothing.', rights: SEE_RIGHTS },
};

/** ` (Orders)`, for after the word administrator; empty for an owner. */
export const roleSuffix = (role: StaffRole): string => (role === 'owner' ? '' : ` (${ROLE_INFO[role].label})`);

interface Holder {
  isAdmin: boolean;
  staffRole: StaffRole;
  /** Of an API key, in place of a role. */
  rights?: readonly Right[] | undefined;
}

/** Adds the rights to see what may be changed, since the answer to a change shows it. */
export const withSeeRights = <R extends Right>(rights: readonly R[]): R[] => [
  ...new Set(rights.flatMap((right) => [right, right.replace(/^change (?=orders|products|customers)/, 'see ') as R])),
];

/** Whether somebody has a right. */
export const may = ({ isAdmin, staffRole, rights = ROLE_INFO[staffRole].rights }: Holder, right: Right): boolean =>
  isAdmin && rights.includes(right);
