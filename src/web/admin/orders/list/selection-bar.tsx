import { Link } from 'react-router';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/form/field.tsx';
import type { useSelection } from './use-selection.ts';

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>;
  /** Where paper for some orders is, by their references joined by commas; for all that the list finds without them. */
  printHref: (kind: 'picking' | 'slips', orders: string) => string;
}

/** Chooses a whole page of orders, and marks what is chosen. */
export function SelectionBar({ selection, printHref }: SelectionBarProps) {
  const { ids, references, isAll, toggleAll, mark, pending, done, error } = selection;
  const chosen = ids.length === 0 ? ' for all found' : ids.length === 1 ? ' for 1 order' : ` for ${ids.length} orders`;
  const isIdle = ids.length === 0 || pending !== '';
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Checkbox label="Select all on this page" checked={isAll} onChange={toggleAll} />
        <span className="text-soft">{ids.length} selected</span>
        <Button look="secondary" disabled={isIdle} pending={pending === 'true'} onClick={() => mark(true)}>
          Mark as delivered
        </Button>
        <Button look="quiet" disabled={isIdle} pending={pending === 'false'} onClick={() => mark(false)}>
          Mark as not delivered
        </Button>
        <Link className="link" to={printHref('picking', references.join(','))}>
          Picking list{chosen}
        </Link>
        <Link className="link" to={printHref('slips', references.join(','))}>
          Packing slips{chosen}
        </Link>
      </div>
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
    </div>
  );
}
