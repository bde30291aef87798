import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { Alert } from '#web/ui/alert.tsx';
import type { FieldErrors } from './rules.ts';
import type { useForm } from './use-form.ts';

/** Focuses by script: a fragment link would add a history entry, and the router would scroll back. */
function goToField(event: MouseEvent, name: string): void {
  event.preventDefault();
  const field = document.getElementById(name);
  field?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}

/** Errors as links to their fields, whose ids are their names. */
function ErrorLinks({ errors, errorText }: { errors: FieldErrors; errorText: (name: string, text: string) => string }) {
  const links = Object.entries(errors).map(([name, text]) => (
    <a key={name} className="link" href={`#${name}`} onClick={(event) => goToField(event, name)}>
      {errorText(name, text)}
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

/** Prefixes the page's title with "Error:", for screen readers and tabs. */
function useErrorTitle(hasErrors: boolean): void {
  useEffect(() => {
    if (!hasErrors) return;
    document.title = `Error: ${document.title}`;
    return () => {
      document.title = document.title.replace(/^Error: /, '');
    };
  }, [hasErrors]);
}

interface FormProps {
  form: Pick<ReturnType<typeof useForm>, 'errors' | 'message' | 'summary' | 'load' | 'submit'>;
  className?: string;
  /** Shown when the form has no errors, such as why to log in. */
  notice?: string;
  /** The end of a long form; the error message is shown beside it. */
  end?: ReactNode;
  /** The text of an error in the summary, where it does not say which field it is about. */
  errorText?: (name: string, text: string) => string;
  /** Marks required fields, for forms with optional ones. */
  marksRequired?: boolean;
  children: ReactNode;
}

/**
 * A form without the browser's bubbles, which show one error at a time in another style. `method="dialog"` keeps the browser from sending it
 * without scripts, which would put passwords into the URL; an early submit is repeated once the script is there (`start.ts`).
 */
export function Form({
  form: { errors, message, summary, load, submit },
  className = 'grid gap-5',
  notice = '',
  end,
  errorText = (_, text) => text,
  marksRequired = false,
  children,
}: FormProps) {
  const hasFieldErrors = Object.keys(errors).length > 0;
  useErrorTitle(hasFieldErrors || message !== '');
  const messageAbove = end ? '' : message;
  const textAbove = hasFieldErrors ? <ErrorLinks errors={errors} errorText={errorText} /> : messageAbove || notice;
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
      {textAbove && <Alert focus={summary}>{textAbove}</Alert>}
      {marksRequired && <p className="hint">Fields marked * are required.</p>}
      {children}
      {end && message && <Alert focus={summary}>{message}</Alert>}
      {end}
    </form>
  );
}
