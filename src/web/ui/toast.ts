type Tone = 'success' | 'error' | 'info';

let toaster: Promise<typeof import('./toaster.tsx')> | undefined;

/**
 * Loads the toasts' code with the first toast: a page that shows none pays nothing. One promise for all of them: two imports of the same code may
 * be answered in either order, and an older toast must not take the place of a newer one. Never the only copy of an error.
 */
function show(tone: Tone, text: string): void {
  toaster ??= import('./toaster.tsx');
  toaster.then(
    ({ showToast }) => showToast(tone, text),
    () => {
      toaster = undefined;
    },
  );
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
