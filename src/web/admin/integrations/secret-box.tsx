import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** A secret that is shown once. It takes the focus. */
export function SecretBox({ label, secret }: { label: string; secret: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => field.current?.select(), []);
  const copy = () => {
    field.current?.select();
    navigator.clipboard?.writeText(secret).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="rounded-card border border-accent bg-accent-tint p-4">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p className="mb-2 text-sm">Copy it now and keep it safe: it is not shown again.</p>
      <div className="flex flex-wrap gap-3">
        <input ref={field} id={id} className="input min-w-0 flex-1 font-mono text-sm" readOnly value={secret} />
        <Button look="secondary" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
