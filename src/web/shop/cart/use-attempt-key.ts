import { useRef } from 'react';

interface Attempt {
  payload: string;
  key: string;
}

/** Storage for an attempt; what is read may be anything. */
interface Keeper {
  read: () => Partial<Attempt>;
  write: (attempt: Attempt) => void;
}

/**
 * One key an attempt: a second press, or a retry after a lost answer, makes no second order; another payload is another attempt. A keeper
 * keeps the key over reloads.
 */
export function useAttemptKey(keeper?: Keeper): (payload: object) => string {
  const attempt = useRef<Partial<Attempt>>({});
  return (payload: object) => {
    const text = JSON.stringify(payload);
    const { payload: before, key } = attempt.current.key ? attempt.current : (keeper?.read() ?? {});
    const next = { payload: text, key: (before === text && key) || crypto.randomUUID() };
    attempt.current = next;
    keeper?.write(next);
    return next.key;
  };
}
