import { useEffect, useRef } from 'react';
import { CopyField } from '#web/ui/copy-field.tsx';

/** A secret that is shown once. It takes the focus. */
export function SecretBox({ label, secret }: { label: string; secret: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={box} className="grid gap-2 rounded-card border border-accent bg-accent-tint p-4">
      <CopyField label={label} value={secret} action="Copy" />
      <p className="text-sm">Copy it now and keep it safe: it is not shown again.</p>
    </div>
  );
}
