import { useState } from 'react';
import type { OfficeCard } from '#contract/catalogue/catalogue.ts';
import { pounds } from '#contract/market/money.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';

const MOST = 5;

/** Finds a product to add to an order. It stands inside a form, so Enter searches here instead of sending the form. */
export function AddProduct({ onAdd }: { onAdd: (product: Pick<OfficeCard, '_id' | 'name'>) => void }) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<Pick<OfficeCard, '_id' | 'name' | 'fromPrice' | 'piecesLeft'>[]>();
  const find = () =>
    run('find', async () => {
      const { products } = await dispatch(request('GET /api/office/products', { query: { search, stateQuery: 'live' } }));
      setFound(products.slice(0, MOST));
    });
  const add = (product: Pick<OfficeCard, '_id' | 'name'>) => {
    onAdd(product);
    setSearch('');
    setFound(undefined);
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="legend">Add a product</legend>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Name or SKU of the product"
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            find();
          }}
        />
        <Button look="secondary" pending={pending === 'find'} onClick={find}>
          Find product
        </Button>
      </div>
      {error && <Alert>{error}</Alert>}
      <ul className="grid justify-items-start gap-1" aria-live="polite">
        {found?.map((product) => (
          <li key={product._id}>
            <Button look="quiet" className="px-0 text-left" onClick={() => add(product)}>
              Add {product.name}, {pounds(product.fromPrice)}, {product.piecesLeft === 0 ? 'sold out' : `${product.piecesLeft} in stock`}
            </Button>
          </li>
        ))}
        {found?.length === 0 && <li>We couldn’t find a product with this name or SKU.</li>}
      </ul>
    </fieldset>
  );
}
