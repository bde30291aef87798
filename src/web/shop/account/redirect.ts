/** Where someone goes after logging in: one path segment of this shop and nothing else, so that no other host can be named. */
export function targetOf(redirect: string | null): string {
  return redirect && /^[A-Za-z0-9-]{1,40}$/.test(redirect) ? `/${redirect}` : '/';
}
