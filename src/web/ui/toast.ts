type Tone = 'success' | 'error' | 'info';

/** Loads the toasts' code with the first toast: a page that shows none pays nothing. Never the only copy of an error. */
function show(tone: Tone, text: string): void {
  void import('./toaster.tsx').then(({ showToast }) => showToast(tone, text));
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
