import type { OfficeCard } from '#contract/catalogue/catalogue.ts';
import { pounds } from '#contract/market/money.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { FindWithin } from './find-within.tsx';

/** Finds a product to add to an order. */
export function AddProduct({ onAdd }: { onAdd: (product: Pick<OfficeCard, '_id' | 'name'>) => void }) {
  const dispatch = useAppDispatch();
  return (
    <fieldset>
      <legend className="legend">Add a product</legend>
      <FindWithin
        label="Name or SKU of the product"
        button="Find product"
        find={async (search) => (await dispatch(request('GET /api/office/products', { query: { search, stateQuery: 'live' } }))).products}
        labelOf={({ name, fromPrice, piecesLeft }) =>
          `Add ${name}, ${pounds(fromPrice)}, ${piecesLeft === 0 ? 'sold out' : `${piecesLeft} in stock`}`
        }
        nothing="We couldn’t find a product with this name or SKU."
        onChoose={onAdd}
      />
    </fieldset>
  );
}
