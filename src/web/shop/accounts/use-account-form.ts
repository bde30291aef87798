import { useEffect } from 'react';
import { readUserInfo } from '#web/browser/browser-storage.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { userReset } from '#web/state/user.slice.ts';
import { type FormOptions, useFields, useForm } from '#web/ui/form/use-form.ts';

/** Clears the user slice's earlier state when the form opens (specification §4, reset). */
export function useAccountForm<F extends object, B = F>(initial: F, options: Omit<FormOptions<F, B>, 'fields' | 'change'>) {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(userReset(readUserInfo() ?? null));
  }, [dispatch]);
  return useForm({ ...useFields(initial), ...options });
}
