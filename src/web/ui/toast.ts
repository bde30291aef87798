type Tone = 'success' | 'error' | 'info';

/** Loads the toasts' code with the first toast: a page that shows none pays nothing. Never the only copy of an error. */
function show(tone: Tone, text: string, isSaid = false): void {
  void import('./toaster.tsx').then(({ showToast }) => showToast(tone, text, isSaid));
}

export const toast = {
  success: (text: string) => show('success', text),
  /** A success that the page's own live region says: the toast is for the eyes. */
  seen: (text: string) => show('success', text, true),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
