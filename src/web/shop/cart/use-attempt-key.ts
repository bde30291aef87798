import { useRef } from 'react';

/** One key an attempt: pressing twice, or again after a lost answer, still makes one order; another payload is another attempt. */
export function useAttemptKey(): (payload: object) => string {
  const attempt = useRef({ payload: '', key: '' });
  return (payload: object) => {
    const text = JSON.stringify(payload);
    if (attempt.current.payload !== text) attempt.current = { payload: text, key: crypto.randomUUID() };
    return attempt.current.key;
  };
}
