import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';

interface FieldTexts {
  label: string;
  hint?: ReactNode | undefined;
  error?: string | undefined;
}

interface ControlProps {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
}

/** Label above, hint and error below, tied to the control. */
function FieldFrame({
  id,
  label,
  hint,
  error,
  required,
  children,
}: FieldTexts & { id: string; required?: boolean | undefined; children: (props: ControlProps) => ReactNode }) {
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} data-required={required || undefined}>
        {label}
        {!required && <span className="font-normal text-soft"> (optional)</span>}
      </label>
      {children({ id, ...(error && { 'aria-invalid': true as const }), ...(describedBy && { 'aria-describedby': describedBy }) })}
      {error && (
        <p id={`${id}-error`} className="wrong">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

export function Field({ label, hint, error, id, ...rest }: FieldTexts & InputHTMLAttributes<HTMLInputElement>) {
  const ownId = useId();
  return (
    <FieldFrame id={id ?? ownId} label={label} hint={hint} error={error} required={rest.required ?? rest['aria-required'] === true}>
      {(controlProps) => <input className="input" {...rest} {...controlProps} />}
    </FieldFrame>
  );
}

export function TextArea({ label, hint, error, id, ...rest }: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const ownId = useId();
  return (
    <FieldFrame id={id ?? ownId} label={label} hint={hint} error={error} required={rest.required}>
      {(controlProps) => <textarea className="input min-h-32" {...rest} {...controlProps} />}
    </FieldFrame>
  );
}

interface SelectProps extends FieldTexts, SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly string[];
  /** The label of the empty option. */
  none?: string;
}

export function Select({ label, hint, error, id, options, none, ...rest }: SelectProps) {
  const ownId = useId();
  return (
    <FieldFrame id={id ?? ownId} label={label} hint={hint} error={error} required={rest.required}>
      {(controlProps) => (
        <select className="input" {...rest} {...controlProps}>
          {options.map((option) => (
            <option key={option} value={option}>
              {option || none}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

export function Checkbox({ label, hint, error, ...rest }: FieldTexts & InputHTMLAttributes<HTMLInputElement>) {
  const textId = useId();
  const describedBy = [error && `${textId}-error`, hint && `${textId}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label className="flex min-h-target items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          {...rest}
          {...(error && { 'aria-invalid': true })}
          {...(describedBy && { 'aria-describedby': describedBy })}
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={`${textId}-error`} className="wrong">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${textId}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
