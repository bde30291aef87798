import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';

/** A value of local storage, shared by all tabs. */
export interface Kept<T> {
  read: () => T | undefined;
  /** Undefined deletes it. */
  write: (value: T | undefined) => void;
  subscribe: (listener: () => void) => () => void;
}

/** `check` returns undefined for damaged or outdated values. */
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
      // Without listeners other tabs' changes are missed, so the next read looks again.
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

/** Undefined on the server and in the first render, which must match. */
export const useKept = <T>({ subscribe, read }: Kept<T>): T | undefined => useSyncExternalStore(subscribe, read, () => undefined);

const never = () => () => {};
/** False on the server and in the first render, which must match. */
export const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
