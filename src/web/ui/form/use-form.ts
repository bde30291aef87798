import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { isProblem, messageOf } from '#contract/platform/problem.ts';
import { loadPatiently } from '#web/browser/code.ts';
import { useEarlyInput } from './early.ts';
import { bodyOf, errorsIn, errorsOf, type FieldErrors, loadValidator, type Rules } from './rules.ts';
import { useAfterClick } from './use-after-click.ts';

interface Refusal {
  message: string;
  errors?: FieldErrors | undefined;
}

interface Values<F> {
  fields: F;
  change: (changes: Partial<F>) => void;
}

export interface FormOptions<F, B> extends Values<F>, Rules<F, B> {
  /** What it throws or returns is shown; what was typed stays. */
  send: (body: B) => Promise<Refusal | undefined> | Promise<void>;
}

/** Props of a text control or select. */
interface TextControl {
  id: string;
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void;
  onBlur: () => void;
}

/** `bind` of any form that has these fields among others. */
export type Bind<Name extends string> = (name: Name) => TextControl;

type Names<F, V> = { [name in keyof F]: F[name] extends V ? name : never }[keyof F] & string;

const refusalOf = (error: unknown): Refusal => ({ message: messageOf(error), errors: isProblem(error) ? error.errors : undefined });

/** After a refusal: focuses the field if only one is wrong; otherwise the summary, which holds the message, or links to each field. */
function focusErrors(errors: FieldErrors, summary: HTMLElement | null): void {
  const [name, ...others] = Object.keys(errors);
  if (name && others.length === 0) document.getElementById(name)?.focus();
  else summary?.focus();
}

export function useFields<F extends object>(initial: F): Values<F> {
  const [fields, setFields] = useState(initial);
  return { fields, change: (changes) => setFields((before) => ({ ...before, ...changes })) };
}

function useErrors<F extends object>(fields: F, names: Rules<F, unknown>['names']) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState('');
  const [refusals, setRefusals] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when a form is refused, and not when an error is corrected.
  useEffect(() => {
    if (refusals > 0) focusErrors(errors, summary.current);
  }, [refusals]);

  const show = (refusal: Refusal) => {
    const errorsAtFields = errorsOf(refusal.errors ?? {}, fields, names);
    setErrors(errorsAtFields);
    // Errors at fields need no message besides.
    setMessage(Object.keys(errorsAtFields).length > 0 ? '' : refusal.message);
  };
  const refuse = (refusal: Refusal) => {
    show(refusal);
    setRefusals((count) => count + 1);
  };
  const setError = (name: string, text: string | undefined) =>
    setErrors(({ [name]: _, ...others }) => errorsOf(text ? { ...others, [name]: text } : others, fields));
  return { errors, message, summary, refuse, clear: () => show({ message: '' }), setError };
}

/** Changed fields, and the errors of all fields before and after. */
interface Change {
  names: string[];
  before: FieldErrors;
  after: FieldErrors;
}

/** Removes errors that a change has corrected, and those of the changed fields, which are checked again when they are left. */
function clearCorrected({ errors, setError }: ReturnType<typeof useErrors>, { names, before, after }: Change): void {
  for (const name of Object.keys(errors)) if (names.includes(name) || (before[name] && !after[name])) setError(name, undefined);
}

/** Shows errors that a choice has caused elsewhere, such as a postcode of another country. */
function showCaused({ setError }: ReturnType<typeof useErrors>, { before, after }: Change): void {
  for (const [other, text] of Object.entries(after)) if (!before[other]) setError(other, text);
}

/** Loads the form's validator once. */
function useValidator<F, B>(rules: Rules<F, B>) {
  const loading = useRef<ReturnType<typeof loadValidator>>(undefined);
  const loaded = useRef<Awaited<ReturnType<typeof loadValidator>>>(undefined);
  const load = () => {
    loading.current ??= loadPatiently(() => loadValidator(rules)).then((validate) => {
      loaded.current = validate;
      return validate;
    });
    return loading.current;
  };
  return { load, loaded };
}

/**
 * The behaviour of every form (decision 20): errors at their fields and in a summary, from the browser or the server; what was typed
 * stays. Render in a `Form`.
 */
export function useForm<F extends object, B = F>(options: FormOptions<F, B>) {
  const { fields, change, send, names } = options;
  useEarlyInput(fields, change);
  const formErrors = useErrors(fields, names);
  const { load, loaded } = useValidator(options);
  const [pending, setPending] = useState(false);
  const [done, setDone] = useState(false);
  const changed = useRef(new Set<string>());
  const afterClick = useAfterClick();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setDone(false);
    setPending(true);
    const errors = errorsIn(options, await load(), fields);
    const isWrong = Object.keys(errors).length > 0;
    if (!isWrong) formErrors.clear();
    const refusal = isWrong ? { message: '', errors } : await send(bodyOf(options, fields)).catch(refusalOf);
    setPending(false);
    setDone(!refusal);
    if (refusal) formErrors.refuse(refusal);
  };
  /** Checks a field on leaving it, once it was changed. */
  const leave = async (name: string) => {
    const isChanged = () => changed.current.has(name);
    if (!isChanged()) return;
    const text = errorsIn(options, await load(), fields)[name];
    // The click may have replaced what was typed.
    afterClick(() => isChanged() && formErrors.setError(name, text));
  };
  const changeFields = (changes: Partial<F>, isChoice = false) => {
    const errorsOfAll = (all: F) => errorsIn(options, loaded.current, all);
    const effect = { names: Object.keys(changes), before: errorsOfAll(fields), after: errorsOfAll({ ...fields, ...changes }) };
    clearCorrected(formErrors, effect);
    if (isChoice) showCaused(formErrors, effect);
    change(changes);
  };
  const changeOne = (name: keyof F & string, value: string | boolean, isChoice: boolean) => {
    changed.current.add(name);
    changeFields({ [name]: value } as Partial<F>, isChoice);
  };
  const bind: Bind<Names<F, string>> = (name) => ({
    id: name,
    name,
    value: fields[name] as string,
    error: formErrors.errors[name],
    onChange: ({ target }) => changeOne(name, target.value, target instanceof HTMLSelectElement),
    onBlur: () => void leave(name),
  });
  /** Props of a checkbox. */
  const bindBox = (name: Names<F, boolean>) => ({
    id: name,
    name,
    checked: fields[name] as boolean,
    error: formErrors.errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => changeOne(name, target.checked, false),
  });
  const { errors, message, summary } = formErrors;
  return {
    fields,
    change: (changes: Partial<F>) => {
      for (const name of Object.keys(changes)) changed.current.delete(name);
      changeFields(changes);
    },
    bind,
    bindBox,
    load,
    errors,
    message,
    summary,
    submit,
    pending,
    done,
  };
}
