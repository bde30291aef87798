import { useId, useRef, useState } from 'react';
import { Button } from './button.tsx';

interface CopyFieldProps {
  label: string;
  value: string;
  /** The button's words. */
  action: string;
}

/** A text to be copied. */
export function CopyField({ label, value, action }: CopyFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    field.current?.select();
    navigator.clipboard?.writeText(value).then(
      () => setIsCopied(true),
      // Without access to the clipboard, the text stays selected for copying by hand.
      () => undefined,
    );
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          ref={field}
          id={id}
          readOnly
          className="input min-w-0 flex-1 basis-64"
          value={value}
          onFocus={({ target }) => target.select()}
        />
        <Button look="secondary" onClick={copy}>
          {action}
        </Button>
      </div>
      <p role="status" className="min-h-6 text-sm">
        {isCopied && 'Copied.'}
      </p>
    </div>
  );
}
