/** The shop's pages that answer a search for help. */
const HELP_PAGES = [
  { label: 'Shipping policy', to: '/shipping-policy' },
  { label: 'Refund policy', to: '/refund-policy' },
  { label: 'Terms of service', to: '/legal' },
  { label: 'Contact information', to: '/contact' },
  { label: 'Privacy policy', to: '/privacy' },
  { label: 'Your orders', to: '/orders' },
  { label: 'Log in', to: '/login' },
  { label: 'Forgotten password', to: '/forget-password' },
];

/** The help pages with these URLs, in this order. */
export const helpPages = (addresses: readonly string[]) =>
  addresses.flatMap((address) => HELP_PAGES.find(({ to }) => to === address) ?? []);
