/** Paths that a login may return to. */
const SCREENS: readonly string[] = [
  ...['newarrivals', 'shop', 'cart', 'checkout', 'successPayment', 'profile', 'orders'],
  ...['privacy', 'legal', 'refund-policy', 'shipping-policy', 'contact'],
];

/** A product page, with its review fragments. */
const PRODUCT = /^product\/[\w-]{1,100}(?:#(?:write-review|reviews))?$/;

/** The path after a login: only known screens, never another host. */
export function targetOf(redirect: string | null): string {
  return redirect && (SCREENS.includes(redirect) || PRODUCT.test(redirect)) ? `/${redirect}` : '/';
}

/** The login or the registration, with the same `redirect` if it is allowed. */
export function withRedirect(page: '/login' | '/register', redirect: string | null): string {
  return `${page}?redirect=${encodeURIComponent(targetOf(redirect).slice(1))}`;
}

/** The page that a guard intercepted; the URL of its login does not name it (specification §2). */
export interface LoginState {
  wanted?: string;
}

/** Intercepted pages that a login returns to, by its `redirect`. */
const INTERCEPTED = { '': /^\/order\/[\w-]{1,100}(?:[?#].*)?$/, admin: /^\/admin\/[\w/-]{1,200}(?:[?#].*)?$/ };

/** As `targetOf`, but an intercepted page takes precedence. */
export function targetAfterLogin(redirect: string | null, state: LoginState | null): string {
  const { wanted = '' } = state ?? {};
  return INTERCEPTED[(redirect ?? '') as keyof typeof INTERCEPTED]?.test(wanted) ? wanted : targetOf(redirect);
}
