import { type FormEvent, useEffect, useState } from 'react';
import { readUserInfo } from '#web/browser/browser-storage.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUser, userErrorShown, userReset } from '#web/state/user.slice.ts';

/** The message for two passwords that differ (specification §5). */
export const MISMATCH = 'Passwords do not match';

/**
 * A form of the account: its values, the user slice's state, and what every one of them does alike: old messages are
 * cleared when it opens, and passwords that differ are refused before anything is sent.
 */
export function useAccountForm<F extends Record<string, string>>(initial: F, send: (fields: F) => void) {
  const dispatch = useAppDispatch();
  const user = useAppSelector(selectUser);
  const [fields, setFields] = useState(initial);
  // A message goes as soon as its field is corrected; whether rightly, the next submit says.
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  useEffect(() => {
    dispatch(userReset(readUserInfo() ?? null));
  }, [dispatch]);
  // The first field that the server refused takes the focus, with its message.
  useEffect(() => {
    const refused = document.querySelector<HTMLElement>('#main form [aria-invalid]');
    if (Object.keys(user.fieldErrors).length > 0) refused?.focus();
  }, [user.fieldErrors]);
  const bind = (name: keyof F & string) => ({
    id: name,
    name,
    value: fields[name],
    error: corrected.includes(name) ? undefined : user.fieldErrors[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setFields((before) => ({ ...before, [name]: target.value }));
      setCorrected((before) => [...before, name]);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setCorrected([]);
    if ('confirmPassword' in fields && fields.password !== fields.confirmPassword) return void dispatch(userErrorShown(MISMATCH));
    send(fields);
  };
  return { user, fields, setFields, bind, submit };
}
