/** So many errors of one page are told: one that fails again and again says nothing new. */
const MOST = 3;
const LONGEST = 3_000;

let told = 0;

/** What an error says of itself: its message, then where it happened. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const head = `${error.name}: ${error.message}`;
  const stack = error.stack ?? '';
  return stack.startsWith(head) ? stack : `${head}\n${stack}`;
}

/**
 * Tells the shop of an error that nobody caught, as plain text with nothing about the visitor. Errors of other people's scripts (extensions of
 * the browser) are not the shop's: those of another origin carry no error. Best effort.
 */
export function report(event: Event): void {
  const error: unknown = event instanceof PromiseRejectionEvent ? event.reason : (event as ErrorEvent).error;
  if (!error || told >= MOST) return;
  told += 1;
  const headers = { 'content-type': 'text/plain' };
  fetch('/api/browser-errors', { method: 'POST', headers, body: textOf(error).slice(0, LONGEST), keepalive: true }).catch(() => undefined);
}
