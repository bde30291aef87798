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
  let json: string | undefined;
  /** Reads again. An unchanged value keeps its identity. */
  const refresh = () => {
    const stored = readStored(key);
    const newJson = JSON.stringify(stored);
    if (newJson !== json) value = check(stored);
    json = newJson;
  };
  const announce = () => {
    for (const listener of listeners) listener();
  };
  const onStorage = ({ key: written }: StorageEvent) => {
    if (written !== key && written !== null) return;
    refresh();
    announce();
  };
  return {
    read() {
      // Listens for other tabs' changes only while there are subscribers.
      if (listeners.size === 0) refresh();
      return value;
    },
    write(next) {
      writeStored(key, next);
      value = next;
      json = JSON.stringify(next);
      announce();
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        refresh();
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
