import { pounds } from '#contract/market/money.ts';
import { useNamedProduct } from '#web/admin/catalogue/use-named-product.ts';
import { FindWithin } from '#web/admin/orders/find-within.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';

/** Each name is loaded by itself, so the list is bounded. */
const MAX_NAMED = 50;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** IDs pasted together, such as a column of a spreadsheet; undefined for a search. */
export function pastedIds(search: string): string[] | undefined {
  const words = search.split(/[\s,;]+/).filter(Boolean);
  return words.length > 1 && words.every((word) => ID.test(word)) ? words : undefined;
}

function Piece({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { product, name } = useNamedProduct(id);
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="grow wrap-anywhere">
        {name}
        {product && product.state !== 'live' && <span className="hint block first-letter:uppercase">{product.state}</span>}
      </span>
      <Button look="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

interface ChosenPiecesProps {
  id: string;
  /** Product ids. */
  chosen: readonly string[];
  hint: string;
  error: string | undefined;
  onChange: (chosen: string[]) => void;
}

/** Chooses the pieces of a sale or a promotion by name, SKU or ID. */
export function ChosenPieces({ id, chosen, hint, error, onChange }: ChosenPiecesProps) {
  const dispatch = useAppDispatch();
  const find = async (search: string) => {
    const ids = pastedIds(search);
    if (ids) return [{ _id: search, ids, label: `Add ${ids.length} pieces with these IDs` }];
    const { products } = await dispatch(request('GET /api/office/products', { query: { search } }));
    return products.map(({ _id, name, fromPrice }) => ({ _id, ids: [_id], label: `Add ${name}, ${pounds(fromPrice)}` }));
  };
  const hidden = chosen.length - MAX_NAMED;
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-3">
      <legend className="legend">Only these pieces</legend>
      <p className="hint">{hint}</p>
      {chosen.length > 0 && (
        <ul className="grid max-w-xl gap-1" aria-label="Chosen pieces">
          {chosen.slice(0, MAX_NAMED).map((piece) => (
            <Piece key={piece} id={piece} onRemove={() => onChange(chosen.filter((one) => one !== piece))} />
          ))}
          {hidden > 0 && <li className="hint">and {hidden === 1 ? '1 other piece' : `${hidden} other pieces`}</li>}
        </ul>
      )}
      {chosen.length > 1 && (
        <Button look="quiet" className="justify-self-start px-0" onClick={() => onChange([])}>
          Remove all {chosen.length} pieces
        </Button>
      )}
      {error && <p className="wrong">{error}</p>}
      <FindWithin
        label="Name, SKU or ID of the piece"
        button="Find piece"
        find={find}
        labelOf={({ label }) => label}
        nothing="We couldn’t find a piece with this name, SKU or ID."
        onChoose={({ ids }) => onChange([...new Set([...chosen, ...ids])])}
      />
    </fieldset>
  );
}
