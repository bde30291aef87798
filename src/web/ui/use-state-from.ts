import { useState } from 'react';

/** Local state that is set again whenever `value` changes: a control whose value is in the URL reacts at once and still follows the URL. */
export function useStateFrom<T>(value: T): [T, (value: T) => void] {
  const [state, setState] = useState(value);
  const [previous, setPrevious] = useState(value);
  if (previous !== value) {
    setPrevious(value);
    setState(value);
  }
  return [state, setState];
}
