/**
 * What a visitor, or the browser's password manager, did to a form that the server has rendered before its script was there. React starts with
 * the values of the first render and would put them over what stands in the fields.
 */
import { useLayoutEffect } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** A form's controls that hold text, by the names of its fields, which are their ids, and its chosen radio buttons. */
function controlsOf(fields: object): [string, Control][] {
  return Object.entries(fields).flatMap(([name, value]): [string, Control][] => {
    const control = typeof value === 'string' && (document.getElementById(name) ?? document.querySelector(`[name="${name}"]:checked`));
    return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? [[name, control]] : [];
  });
}

/**
 * Takes over into the form's values what was typed and chosen before its script was there. Of a form that the browser rendered itself there is
 * nothing to take: its controls hold its values.
 */
export function useEarlyInput<F extends object>(fields: F, change: (changes: Partial<F>) => void): void {
  // Before anything is rendered again: until then the fields still hold what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form's script starts.
  useLayoutEffect(() => {
    const typed = controlsOf(fields).filter(([name, { value }]) => value && value !== fields[name as keyof F]);
    if (typed.length > 0) change(Object.fromEntries(typed.map(([name, { value }]) => [name, value])) as Partial<F>);
  }, []);
}
