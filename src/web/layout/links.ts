import { searchedCategories, typedText } from '#contract/catalogue/searched.ts';

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
  const parameters = new URLSearchParams(search);
  if (path === '/shop' && typedText(parameters)) return undefined;
  const category = path === '/shop' && searchedCategories(parameters);
  const address = category ? `${path}?query=${category}` : path;
  return HEADER_LINKS.find(({ to }) => to.toLowerCase() === address.toLowerCase())?.to;
}

/** The search of the shop's page, as it was typed, or an empty text. */
export function searchedFor({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return (/^\/shop\/*$/.test(pathname) && typedText(new URLSearchParams(search))) || '';
}

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
