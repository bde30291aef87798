/** The most reports of one page. */
const MOST = 3;
const LONGEST = 3_000;

let told = 0;

/** The message, then the place. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const head = `${error.name}: ${error.message}`;
  const stack = error.stack ?? '';
  return stack.startsWith(head) ? stack : `${head}\n${stack}`;
}

/**
 * Reports an uncaught error as plain text, without data about the visitor. Errors of other origins and browser extensions are left out. Best
 * effort.
 */
export function report(event: Event): void {
  const error: unknown = event instanceof PromiseRejectionEvent ? event.reason : (event as ErrorEvent).error;
  if (!error || told >= MOST) return;
  told += 1;
  const headers = { 'content-type': 'text/plain' };
  fetch('/api/browser-errors', { method: 'POST', headers, body: textOf(error).slice(0, LONGEST), keepalive: true }).catch(() => undefined);
}
