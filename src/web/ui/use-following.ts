import { useState } from 'react';

/** A control's value that changes at once, and follows the URL. */
export function useFollowing<T>(value: T): [T, (value: T) => void] {
  const [own, setOwn] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setOwn(value);
  }
  return [own, setOwn];
}
