import { useEffect, useRef } from 'react';

/** The errors of a form after a submit: takes the focus and links to each field by its id. */
export function ErrorSummary({ errors, attempt }: { errors: Record<string, string>; attempt: number }) {
  const box = useRef<HTMLDivElement>(null);
  const entries = Object.entries(errors);
  const isEmpty = entries.length === 0;
  useEffect(() => {
    if (attempt > 0 && !isEmpty) box.current?.focus();
  }, [attempt, isEmpty]);
  if (isEmpty) return null;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rounded-soft border-2 border-bad bg-bad-tint px-4 py-3 text-bad">
      <p className="font-semibold">Please correct the following:</p>
      <ul className="mt-1 list-disc pl-5">
        {entries.map(([id, text]) => (
          <li key={id}>
            <a className="link" href={`#${id}`}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
