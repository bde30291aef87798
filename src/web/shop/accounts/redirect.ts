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

/** The order page that the login guard intercepted; the address of its login does not name it (specification §2). */
export interface LoginState {
  wanted?: string;
}

const ORDER = /^\/order\/[\w-]{1,100}(?:[?#].*)?$/;

/** The same, with an intercepted order page first. */
export function targetAfterLogin(redirect: string | null, state: LoginState | null): string {
  return !redirect && state?.wanted && ORDER.test(state.wanted) ? state.wanted : targetOf(redirect);
}
