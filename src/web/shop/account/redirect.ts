/** One path segment, as the login guard names it, or a product's page, with what a mail or a review led to there. */
const TARGET = /^(?:[A-Za-z0-9-]{1,40}|product\/[\w-]{1,100}(?:#(?:write-review|reviews))?)$/;

/** Where someone goes after logging in: a screen of this shop and nothing else, so that no other host can be named. */
export function targetOf(redirect: string | null): string {
  return redirect && TARGET.test(redirect) ? `/${redirect}` : '/';
}
