import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { Alert } from '#web/ui/alert.tsx';
import type { FieldErrors } from './rules.ts';
import type { useForm } from './use-form.ts';

/** Goes to a field by script: as a link of its own it would be a step of the history, after which the router scrolls back to where the page was. */
function goToField(event: MouseEvent, name: string): void {
  event.preventDefault();
  const field = document.getElementById(name);
  field?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}

/** What is wrong with a form, each text a link to its field, whose id is its name. */
function Errors({ errors }: { errors: FieldErrors }) {
  const links = Object.entries(errors).map(([name, text]) => (
    <a key={name} className="link" href={`#${name}`} onClick={(event) => goToField(event, name)}>
      {text}
    </a>
  ));
  if (links.length === 1) return <p>{links}</p>;
  return (
    <>
      <p className="font-semibold">Please correct the following:</p>
      <ul className="mt-1 list-disc pl-5">
        {links.map((link) => (
          <li key={link.key}>{link}</li>
        ))}
      </ul>
    </>
  );
}

/** While something is wrong the page's title says so first, for who hears it read out or looks at the tabs. */
function useErrorTitle(isWrong: boolean): void {
  useEffect(() => {
    if (!isWrong) return;
    document.title = `Error: ${document.title}`;
    return () => {
      document.title = document.title.replace(/^Error: /, '');
    };
  }, [isWrong]);
}

interface FormProps {
  form: Pick<ReturnType<typeof useForm>, 'errors' | 'message' | 'summary' | 'load' | 'submit'>;
  className?: string;
  /** Said by the page itself when the form has nothing to say, such as why somebody must log in. */
  notice?: string;
  /** What a long form ends with. Why it was not accepted stands beside it then, where whoever has pressed the button looks. */
  end?: ReactNode;
  /** Marks what is required beside what is optional, for forms with both. */
  marksRequired?: boolean;
  children: ReactNode;
}

/**
 * A form that says itself what is wrong: no bubbles of the browser, which show one error at a time, in words and a language of their own.
 * It is sent by script only: the method `dialog` keeps the browser from sending it by itself, before its script is there or without
 * any, which would put a typed password into the page's address and the server's logs. One that was sent before its script was there is
 * sent when it is (`start.ts`).
 */
export function Form({
  form: { errors, message, summary, load, submit },
  className = 'grid gap-5',
  notice = '',
  end,
  marksRequired = false,
  children,
}: FormProps) {
  useErrorTitle(Object.keys(errors).length > 0 || message !== '');
  const said = Object.keys(errors).length > 0 ? <Errors errors={errors} /> : (!end && message) || notice;
  return (
    <form
      method="dialog"
      noValidate
      onFocus={() => void load()}
      onSubmit={(event) => void submit(event)}
      className={`${className} ${marksRequired ? 'marks-required' : ''}`}
    >
      <noscript>
        <p>This form needs JavaScript, which is switched off in your browser.</p>
      </noscript>
      {said && <Alert focus={summary}>{said}</Alert>}
      {marksRequired && <p className="hint">Fields marked * are required.</p>}
      {children}
      {end && message && <Alert focus={summary}>{message}</Alert>}
      {end}
    </form>
  );
}
