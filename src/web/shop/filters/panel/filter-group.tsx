import { ChevronDown } from 'lucide';
import { type ReactNode, useState } from 'react';
import { Icon } from '#web/ui/icon.tsx';

interface FilterGroupProps {
  label: string;
  /** The number of chosen values; a group with any starts open. */
  chosen: number;
  /** Starts open in any case. */
  open?: boolean;
  children: ReactNode;
}

/** A filter as a native disclosure. */
export function FilterGroup({ label, chosen, open = false, children }: FilterGroupProps) {
  const [isOpen] = useState(open || chosen > 0);
  return (
    <details className="group/filter border-t border-line" open={isOpen}>
      <summary className="flex min-h-target list-none items-center justify-between gap-2 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        <span>
          {label}
          {chosen > 0 && <span className="font-normal text-soft"> ({chosen} chosen)</span>}
        </span>
        <Icon of={ChevronDown} className="size-4 shrink-0 transition-transform group-open/filter:rotate-180" />
      </summary>
      <fieldset aria-label={label} className="pb-4">
        {children}
      </fieldset>
    </details>
  );
}
