/** The most reports of one page, and characters of a report. */
const MOST_REPORTS = 3;
const LONGEST_REPORT = 3_000;

let reports = 0;

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
  if (!error || reports >= MOST_REPORTS) return;
  reports += 1;
  const headers = { 'content-type': 'text/plain' };
  fetch('/api/browser-errors', { method: 'POST', headers, body: textOf(error).slice(0, LONGEST_REPORT), keepalive: true }).catch(
    () => undefined,
  );
}
