import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';

/** A value of local storage, shared by all tabs. */
export interface StoredValue<T> {
  read: () => T | undefined;
  /** Undefined deletes it. */
  write: (value: T | undefined) => void;
  subscribe: (listener: () => void) => () => void;
}

/** `check` returns undefined for damaged or outdated values. */
export function storedValue<T>(key: string, check: (stored: unknown) => T | undefined): StoredValue<T> {
  const listeners = new Set<() => void>();
  let value: T | undefined;
  let text: string | undefined;
  /** Reads again. An unchanged value keeps its identity. */
  const look = () => {
    const stored = readStored(key);
    const now = JSON.stringify(stored);
    if (now !== text) value = check(stored);
    text = now;
  };
  const announce = () => {
    for (const listener of listeners) listener();
  };
  const onStorage = ({ key: written }: StorageEvent) => {
    if (written !== key && written !== null) return;
    look();
    announce();
  };
  return {
    read() {
      // Listens for other tabs' changes only while there are subscribers.
      if (listeners.size === 0) look();
      return value;
    },
    write(next) {
      writeStored(key, next);
      value = next;
      text = JSON.stringify(next);
      announce();
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        look();
        window.addEventListener('storage', onStorage);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', onStorage);
      };
    },
  };
}

/** Undefined on the server and in the first render, which must match. */
export const useStoredValue = <T>({ subscribe, read }: StoredValue<T>): T | undefined =>
  useSyncExternalStore(subscribe, read, () => undefined);

const noSubscription = () => () => {};
/** False on the server and in the first render, which must match. */
export const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
