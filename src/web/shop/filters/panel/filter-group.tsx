import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';

interface FilterGroupProps {
  label: string;
  /** How many of its values are chosen: a group with any is open when the page comes. */
  chosen: number;
  /** Open without any as well. */
  open?: boolean;
  children: ReactNode;
}

/** A filter under its name, as the browser's own disclosure: it opens without scripts too, and stays as the visitor left it. */
export function FilterGroup({ label, chosen, open = false, children }: FilterGroupProps) {
  const [isOpen] = useState(open || chosen > 0);
  return (
    <details className="group/filter border-t border-line" open={isOpen}>
      <summary className="flex min-h-target list-none items-center justify-between gap-2 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        <span>
          {label}
          {chosen > 0 && <span className="font-normal text-soft"> ({chosen} chosen)</span>}
        </span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 transition-transform group-open/filter:rotate-180" />
      </summary>
      <fieldset aria-label={label} className="pb-4">
        {children}
      </fieldset>
    </details>
  );
}
