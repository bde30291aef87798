import { useEffect, useState } from 'react';

/** How long typing rests before the server renders again. */
const REST_MS = 400;

/** A value once it has stayed the same for a while. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
