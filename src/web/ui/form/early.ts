/**
 * What a visitor, or the browser's password manager, did to a form that the server has rendered before its script was there. React starts with
 * the values of the first render and would put them over what stands in the fields.
 */
import { useLayoutEffect, useState } from 'react';

const page = () => document.documentElement.dataset;

/** The texts of fields that were filled in before the page's scripts had started, by their names, which are their ids. */
function earlyTexts(fields: object): Record<string, string> {
  const names = Object.entries(fields).flatMap(([name, value]) => (typeof value === 'string' ? [name] : []));
  const texts = names.flatMap((name) => {
    const control = document.getElementById(name);
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    return isText && control.value ? [[name, control.value] as const] : [];
  });
  return Object.fromEntries(texts);
}

/** Takes such texts over into the form's values, and returns whether the form was sent as well. */
export function useEarlyInput<F extends object>(fields: F, change: (changes: Partial<F>) => void): boolean {
  const [isSent, setIsSent] = useState(false);
  // Before anything is rendered again: until then the fields still hold what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the scripts start.
  useLayoutEffect(() => {
    if ('ready' in page()) return;
    const texts = earlyTexts(fields);
    if (Object.keys(texts).length > 0) change(texts as Partial<F>);
    setIsSent('sent' in page());
    delete page().sent;
  }, []);
  return isSent;
}
