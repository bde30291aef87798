import { listParametersOf } from '#contract/catalogue/list-parameters.ts';

/** The header's links (specification §2). */
export const HEADER_LINKS = [
  { label: 'Home', to: '/' },
  { label: 'New Arrivals', to: '/newarrivals' },
  { label: 'Sofa', to: '/shop?query=Sofa' },
  { label: 'Wardrobe', to: '/shop?query=Wardrobe' },
  { label: 'All Products', to: '/shop' },
] as const;

/** The header link of a URL: shop links differ by category, and other parameters do not matter. */
export function currentLink({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const path = pathname.replace(/\/+$/, '') || '/';
  const parameters = new Map(listParametersOf(new URLSearchParams(search)));
  const isSearch = path === '/shop' && parameters.has('search');
  const category = path === '/shop' ? (parameters.get('query') ?? parameters.get('category')) : undefined;
  const here = category === undefined ? path : `${path}?query=${category}`;
  return isSearch ? undefined : HEADER_LINKS.find(({ to }) => to.toLowerCase() === here.toLowerCase())?.to;
}

/** The search of the shop's page, or an empty text. */
export function searchedFor({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return (/^\/shop\/*$/.test(pathname) && new Map(listParametersOf(new URLSearchParams(search))).get('search')) || '';
}

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

/** Those of some addresses, in their order. */
export const helpPages = (addresses: readonly string[]) =>
  addresses.flatMap((address) => HELP_PAGES.find(({ to }) => to === address) ?? []);

/** Shortcuts of the search overlay (specification §9). */
export const POPULAR_SEARCHES = [
  { label: 'Chair', to: '/shop?search=chair' },
  { label: 'Lamp', to: '/shop?search=lamp' },
  { label: 'Bench', to: '/shop?search=bench' },
  { label: 'Table Decor', to: '/shop?search=table%20decor' },
] as const;

/** The account menu by role (specification §2). */
export const CUSTOMER_LINKS = [
  { label: 'Profile', to: '/profile' },
  { label: 'Orders', to: '/orders' },
] as const;

export const ADMIN_LINKS = [
  { label: 'Users', to: '/admin/userlist' },
  { label: 'Products', to: '/admin/productlist' },
  { label: 'Orders', to: '/admin/orderlist' },
  { label: 'Profile', to: '/profile' },
] as const;

/**
 * Scrolls to the top on a click on the cart's icon (specification §2), before the next page is loaded. Queued, so that the router has saved
 * the position first.
 */
export function scrollToTop(): void {
  queueMicrotask(() => window.scrollTo({ top: 0 }));
}
