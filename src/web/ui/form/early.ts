/** Input from before hydration, by the visitor or a password manager, which React would overwrite. */
import { useLayoutEffect } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** A form's text controls and chosen radio buttons, by field names, which are their ids. */
function controlsOf(fields: object): [string, Control][] {
  return Object.entries(fields).flatMap(([name, value]): [string, Control][] => {
    const selector = `[id="${name}"]:is(input, textarea), [name="${name}"]:checked`;
    const control = typeof value === 'string' && document.querySelector<Control>(selector);
    return control ? [[name, control]] : [];
  });
}

/** Takes over input from before hydration. Forms rendered by the browser have none. */
export function useEarlyInput<F extends object>(fields: F, change: (changes: Partial<F>) => void): void {
  // Before the next render, which would overwrite the controls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form's script starts.
  useLayoutEffect(() => {
    const typed = controlsOf(fields).filter(([name, { value }]) => value && value !== fields[name as keyof F]);
    if (typed.length > 0) change(Object.fromEntries(typed.map(([name, { value }]) => [name, value])) as Partial<F>);
  }, []);
}
