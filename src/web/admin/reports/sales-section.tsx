import { storedValue, useStoredValue } from '#web/browser/stored-value.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SalesFigures } from './sales-figures.tsx';
import { VatExport } from './vat-export.tsx';

/** Whether this browser shows the panel folded; a folded panel is not loaded. */
const folded = storedValue<true>('salesFolded', (stored) => stored === true || undefined);

function Figures({ version }: { version: number }) {
  const { value, error } = useLoaded('GET /api/orders/sales', {}, version);
  return (
    <>
      {error && <Alert>{error}</Alert>}
      {!value && !error && <Skeleton label="Loading the sales" />}
      {value && <SalesFigures sales={value} />}
      <VatExport />
    </>
  );
}

/** `version` grows with each change to an order on the screen. */
export function SalesSection({ version }: { version: number }) {
  const isFolded = useStoredValue(folded) ?? false;
  return (
    <section aria-labelledby="sales" className="panel mt-section grid gap-5 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sales">Sales of the last 30 days</h2>
        <Button look="quiet" className="-mx-3" aria-expanded={!isFolded} onClick={() => folded.write(isFolded ? undefined : true)}>
          {isFolded ? 'Show sales' : 'Hide sales'}
        </Button>
      </div>
      {!isFolded && <Figures version={version} />}
    </section>
  );
}
