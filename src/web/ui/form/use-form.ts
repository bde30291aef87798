import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/form-checks.ts';
import { useEarlyInput } from './early.ts';
import { useAfterClick } from './use-after-click.ts';

/** Why the server did not accept a form. */
interface Refusal {
  message: string;
  /** A text for each wrong field. */
  errors?: FieldErrors | undefined;
}

interface Values<F> {
  fields: F;
  change: (changes: Partial<F>) => void;
}

interface FormOptions<F> extends Values<F> {
  /** What is wrong, by field. Nothing is sent before it is empty. */
  check: (fields: F) => FieldErrors;
  /** Sends the form. What it returns is shown; what was typed stays. */
  send: (fields: F) => Promise<Refusal | undefined>;
}

type Texts<F> = { [name in keyof F]: F[name] extends string ? name : never }[keyof F] & string;

/** The errors of fields that the form has, in the order of its fields. `sizes.0.price` belongs to `sizes`. */
function inOrder(errors: FieldErrors, fields: object): FieldErrors {
  const names = Object.keys(fields);
  const place = (name: string) => names.indexOf(name.split('.')[0] ?? '');
  const known = Object.entries(errors).filter(([name]) => place(name) >= 0);
  return Object.fromEntries(known.sort(([a], [b]) => place(a) - place(b)));
}

/** After a form was refused: one wrong field takes the focus itself, several leave it to the summary, which leads to each, and so does a mere message. */
function focusErrors(errors: FieldErrors, summary: HTMLElement | null): void {
  const [name, ...others] = Object.keys(errors);
  if (name && others.length === 0) document.getElementById(name)?.focus();
  else summary?.focus();
}

/** The values of a form that starts with `initial`. */
export function useFields<F extends object>(initial: F): Values<F> {
  const [fields, setFields] = useState(initial);
  return { fields, change: (changes) => setFields((before) => ({ ...before, ...changes })) };
}

/** What is wrong with a form, as its `Form` and its fields show it. */
function useErrors(fields: object) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState('');
  const [refusals, setRefusals] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when a form is refused, and not when an error is mended.
  useEffect(() => {
    if (refusals > 0) focusErrors(errors, summary.current);
  }, [refusals]);

  const show = (refusal: Refusal) => {
    const known = inOrder(refusal.errors ?? {}, fields);
    setErrors(known);
    // Where fields say what is wrong, nothing is left to be said once they are corrected.
    setMessage(Object.keys(known).length > 0 ? '' : refusal.message);
  };
  const refuse = (refusal: Refusal) => {
    show(refusal);
    setRefusals((count) => count + 1);
  };
  const setError = (name: string, text: string | undefined) =>
    setErrors(({ [name]: _, ...others }) => inOrder(text ? { ...others, [name]: text } : others, fields));
  return { errors, message, summary, refuse, clear: () => show({ message: '' }), setError };
}

/** How a change of one field is judged: what was wrong before it and what is wrong after it. */
interface Change {
  name: string;
  before: FieldErrors;
  after: FieldErrors;
}

/** Takes back the messages that a change has put right, wherever they stand, and that of the field itself: whether rightly, is said when it is left. */
function forgetMended({ errors, setError }: ReturnType<typeof useErrors>, { name, before, after }: Change): void {
  for (const other of Object.keys(errors)) if (other === name || (before[other] && !after[other])) setError(other, undefined);
}

/** Says what a choice has made wrong elsewhere, such as a postcode of another country. */
function showBroken({ setError }: ReturnType<typeof useErrors>, { before, after }: Change): void {
  for (const [other, text] of Object.entries(after)) if (!before[other]) setError(other, text);
}

/** Sends a form once its check finds nothing wrong, and not twice at a time. */
function useSubmit<F>(
  { fields, check, send }: Pick<FormOptions<F>, 'fields' | 'check' | 'send'>,
  { refuse, clear }: ReturnType<typeof useErrors>,
) {
  const [pending, setPending] = useState(false);
  const [done, setDone] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setDone(false);
    const wrong = check(fields);
    if (Object.keys(wrong).length > 0) return refuse({ message: '', errors: wrong });
    clear();
    setPending(true);
    const refusal = await send(fields);
    setPending(false);
    setDone(!refusal);
    if (refusal) refuse(refusal);
  };
  return { pending, done, submit };
}

/**
 * What every form of the shop and the back office does (docs/decisions/0020): an error at each wrong field and all of them in a summary,
 * whether the browser or the server found them, and nothing that was typed is lost. To be rendered in a `Form`.
 */
export function useForm<F extends object>(options: FormOptions<F>) {
  const { fields, change, check } = options;
  useEarlyInput(fields, change);
  const shown = useErrors(fields);
  const sending = useSubmit(options, shown);
  const changed = useRef(new Set<string>());
  const afterClick = useAfterClick();
  /** Once something was typed into a field, leaving it checks it. */
  const leave = (name: string) => {
    if (!changed.current.has(name)) return;
    const text = check(fields)[name];
    afterClick(() => shown.setError(name, text));
  };
  /** What a control of that name needs. */
  const bind = (name: Texts<F>) => ({
    id: name,
    name,
    value: fields[name] as string,
    error: shown.errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => {
      changed.current.add(name);
      const changes = { [name]: target.value } as Partial<F>;
      const judged = { name, before: check(fields), after: check({ ...fields, ...changes }) };
      forgetMended(shown, judged);
      if (target instanceof HTMLSelectElement) showBroken(shown, judged);
      change(changes);
    },
    onBlur: () => leave(name),
  });
  const { errors, message, summary } = shown;
  return { fields, change, bind, errors, message, summary, ...sending };
}
