import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';

/** A value that is kept in this browser only, and is the same in all of its tabs. */
export interface Kept<T> {
  read: () => T | undefined;
  /** Keeps a value, or forgets it. */
  write: (value: T | undefined) => void;
  subscribe: (listener: () => void) => () => void;
}

/** A value of local storage; `check` returns undefined for what is damaged or was written by an older version. */
export function kept<T>(key: string, check: (stored: unknown) => T | undefined): Kept<T> {
  const listeners = new Set<() => void>();
  let value: T | undefined;
  let isRead = false;
  const changed = (next: T | undefined) => {
    value = next;
    for (const listener of listeners) listener();
  };
  const onStorage = ({ key: written }: StorageEvent) => (written === key || written === null) && changed(check(readStored(key)));
  return {
    read() {
      if (!isRead) value = check(readStored(key));
      isRead = true;
      return value;
    },
    write(next) {
      writeStored(key, next);
      // Where nobody hears of other tabs, the next reader looks again.
      isRead = listeners.size > 0;
      changed(next);
    },
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        window.removeEventListener('storage', onStorage);
        isRead = false;
      };
    },
  };
}

/** What is kept; undefined on the server and in the first render, whose page is the same for everybody. */
export const useKept = <T>({ subscribe, read }: Kept<T>): T | undefined => useSyncExternalStore(subscribe, read, () => undefined);

const never = () => () => {};
/** False on the server and in the first render, whose page is the same for everybody. */
export const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
