type Tone = 'success' | 'error' | 'info';

let last: Promise<void> = Promise.resolve();

/**
 * Loads the toasts' code with the first toast. Each is drawn before the next one replaces it, also when the second comes while the code
 * is loaded. Never the only copy of an error: a toast whose code does not load is not shown.
 */
function show(tone: Tone, text: string): void {
  last = last
    .then(() => import('./toaster.tsx'))
    .then(({ showToast }) => showToast(tone, text))
    .catch(() => undefined);
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
