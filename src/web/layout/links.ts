import { listParametersOf } from '#contract/catalogue/list-parameters.ts';

/** The header's links (specification §2). */
export const HEADER_LINKS = [
  { label: 'Home', to: '/' },
  { label: 'New Arrivals', to: '/newarrivals' },
  { label: 'Sofa', to: '/shop?query=Sofa' },
  { label: 'Wardrobe', to: '/shop?query=Wardrobe' },
  { label: 'All Products', to: '/shop' },
] as const;

/** The header's link whose page this is: the shop's links differ in their category, and no parameter makes another page of the rest. */
export function currentLink({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const path = pathname.replace(/\/+$/, '') || '/';
  const parameters = new Map(listParametersOf(new URLSearchParams(search)));
  const isSearch = path === '/shop' && parameters.has('search');
  const category = path === '/shop' ? (parameters.get('query') ?? parameters.get('category')) : undefined;
  const here = category === undefined ? path : `${path}?query=${category}`;
  return isSearch ? undefined : HEADER_LINKS.find(({ to }) => to.toLowerCase() === here.toLowerCase())?.to;
}

/** What the shop's page searches for, or nothing. */
export function searchedFor({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return (/^\/shop\/*$/.test(pathname) && new Map(listParametersOf(new URLSearchParams(search))).get('search')) || '';
}

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
 * Scrolls to the top before the next page is there, as the cart's icon does (specification §2). All other links leave it to the
 * router, which does so when the page changes. After the click, so that the router has kept the place for the way back.
 */
export function scrollToTop(): void {
  queueMicrotask(() => window.scrollTo({ top: 0 }));
}
