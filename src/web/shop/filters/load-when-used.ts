/**
 * The filters' code is not among the first that the shop page loads: the server has drawn the panel, which works as a plain form, and the code
 * comes with the first sign that somebody is there. Until it has, what is ticked stays ticked, and a form that is sent waits (`takeEarlySubmit`).
 */
export let wantFilters: () => void = () => undefined;
/** Resolves when somebody is there, or a list is on its way. */
export const filtersWanted = new Promise<void>((resolve) => {
  wantFilters = resolve;
});

/** Signs of a person. `submit` and `change` are among them for whoever was quicker than the page's own code. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'change', 'submit'];
let isEarly = true;
let earlyForm: HTMLFormElement | undefined;

function onSign(event: Event): void {
  wantFilters();
  const isFilters = event.target instanceof HTMLFormElement && event.target.hasAttribute('data-filters');
  if (!isEarly || event.type !== 'submit' || !isFilters) return;
  // Sent before its code was there: it is sent again when it is.
  event.preventDefault();
  earlyForm = event.target as HTMLFormElement;
}

/** Waits for the first sign. Called once for each shop page that is shown; the same listener is kept once. */
export function watchForFirstSign(): void {
  for (const sign of SIGNS) window.addEventListener(sign, onSign, true);
}

/** Called by the panel once it answers. Returns whether its form was sent before that. */
export function takeEarlySubmit(form: HTMLFormElement): boolean {
  isEarly = false;
  const isSent = earlyForm === form;
  earlyForm = undefined;
  return isSent;
}
