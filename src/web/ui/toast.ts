type Tone = 'success' | 'error' | 'info';

let toaster: Promise<typeof import('./toaster.tsx')> | undefined;

/** Loads the toasts' code with the first toast. All toasts share one promise, so that they appear in order. Never the only copy of an error. */
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
