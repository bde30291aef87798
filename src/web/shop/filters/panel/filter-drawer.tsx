import type { MouseEvent } from 'react';
import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { countText } from '#web/shop/filters/filters.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { APPLIES_PRICES, FilterPanel } from './filter-panel.tsx';

export interface FilterDrawerProps {
  open: boolean;
  onClose: () => void;
  search: URLSearchParams;
  facets: Facets | null;
  list: ProductList;
}

const DRAWER_FORM = 'drawer-filters';

/** The filters on small screens. Announces the count itself, since the page behind a modal is silent. */
export function FilterDrawer({ open, onClose, search, facets, list }: FilterDrawerProps) {
  // Submitted before the drawer closes and removes the form.
  const show = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    event.currentTarget.form?.requestSubmit(event.currentTarget);
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} label="Filters" shape="side sheet-right">
      <div className="px-6 pt-16">
        <h2 className="mb-8">Filters</h2>
        <FilterPanel search={search} facets={facets} id={DRAWER_FORM} dropsEmptyRows />
        <p role="status" className="sr-only">
          {countText(list)}
        </p>
        <div className="sticky bottom-0 -mx-6 mt-6 border-t border-line bg-page px-6 py-4">
          {/* Its name tells the form to apply typed prices, as Enter does. */}
          <Button type="submit" form={DRAWER_FORM} name={APPLIES_PRICES} className="w-full" onClick={show}>
            Show {countText(list)}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
