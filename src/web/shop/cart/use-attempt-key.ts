import { useRef } from 'react';

/** A request as it was sent, and its key. */
interface Attempt {
  payload: string;
  key: string;
}

/** Where an attempt outlives the page; what is read may be anything. */
interface Keeper {
  read: () => Partial<Attempt>;
  write: (attempt: Attempt) => void;
}

/**
 * One key an attempt: pressing twice, or again after a lost answer, still makes one order; another payload is another attempt. With a keeper the
 * same holds after a reload.
 */
export function useAttemptKey(keeper?: Keeper): (payload: object) => string {
  const attempt = useRef<Partial<Attempt>>({});
  return (payload: object) => {
    const text = JSON.stringify(payload);
    const { payload: before = '', key } = attempt.current.key ? attempt.current : (keeper?.read() ?? {});
    const next = key && before === text ? { payload: text, key } : { payload: text, key: crypto.randomUUID() };
    attempt.current = next;
    keeper?.write(next);
    return next.key;
  };
}
