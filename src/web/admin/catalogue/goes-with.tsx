import { goesWithOf, MAX_GOES_WITH } from '#contract/catalogue/goes-with.ts';
import { pounds } from '#contract/market/money.ts';
import { FindWithin } from '#web/admin/orders/find-within.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';
import { useNamedProduct } from './use-named-product.ts';

interface PickedProductProps {
  id: string;
  isFirst: boolean;
  onMoveUp: () => void;
  onRemove: () => void;
}

function PickedProduct({ id, isFirst, onMoveUp, onRemove }: PickedProductProps) {
  const { product, name } = useNamedProduct(id);
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="grow wrap-anywhere">
        {name}
        {product && product.state !== 'live' && <span className="hint block">{product.state}: not shown</span>}
      </span>
      {!isFirst && (
        <Button look="quiet" aria-label={`Move ${name} up`} onClick={onMoveUp}>
          Move up
        </Button>
      )}
      <Button look="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

interface GoesWithProps {
  id: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** Chooses the pieces under "Goes well with" and their order. */
export function GoesWith({ id, value, error, onChange }: GoesWithProps) {
  const dispatch = useAppDispatch();
  const ids = goesWithOf(value);
  const change = (next: readonly string[]) => onChange(next.join(', '));
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-3">
      <legend className="legend">Goes with</legend>
      <p className="hint">
        Those in stock come first under “Goes well with” on its page, before others from its range and room. At most {MAX_GOES_WITH}.
      </p>
      {ids.length > 0 && (
        <ol className="grid gap-1" aria-label="Picked pieces">
          {ids.map((productId, index) => (
            <PickedProduct
              key={productId}
              id={productId}
              isFirst={index === 0}
              onMoveUp={() => change(ids.toSpliced(index, 1).toSpliced(index - 1, 0, productId))}
              onRemove={() => change(ids.filter((one) => one !== productId))}
            />
          ))}
        </ol>
      )}
      {error && <p className="wrong">{error}</p>}
      {ids.length < MAX_GOES_WITH && (
        <FindWithin
          label="Name or SKU of the piece"
          button="Find piece"
          find={async (search) => (await dispatch(request('GET /api/office/products', { query: { search, stateQuery: 'live' } }))).products}
          labelOf={({ name, fromPrice }) => `Add ${name}, ${pounds(fromPrice)}`}
          nothing="We couldn’t find a product with this name or SKU."
          onChoose={({ _id }) => change([...ids, _id])}
        />
      )}
    </fieldset>
  );
}
