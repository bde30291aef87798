/** The screens that somebody may come back to after logging in, by their path segment. */
const SCREENS: readonly string[] = [
  ...['newarrivals', 'shop', 'cart', 'checkout', 'successPayment', 'profile', 'orders'],
  ...['privacy', 'legal', 'refund-policy', 'shipping-policy', 'contact'],
];

/** A product's page, with what a mail or a review led to there. */
const PRODUCT = /^product\/[\w-]{1,100}(?:#(?:write-review|reviews))?$/;

/** Where someone goes after logging in: a screen of this shop and nothing else, so that no other host can be named. */
export function targetOf(redirect: string | null): string {
  return redirect && (SCREENS.includes(redirect) || PRODUCT.test(redirect)) ? `/${redirect}` : '/';
}

/** What the login guard leaves in the browser's history: the order whose page was wanted, since the address of its login names none. */
export interface LoginState {
  wanted?: string;
}

const ORDER = /^\/order\/[\w-]{1,100}(?:[?#].*)?$/;

/** The same, where the login guard has left the page of an order. */
export function targetAfterLogin(redirect: string | null, state: LoginState | null): string {
  return !redirect && state?.wanted && ORDER.test(state.wanted) ? state.wanted : targetOf(redirect);
}
