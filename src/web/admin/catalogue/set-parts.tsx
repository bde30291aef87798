import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { colourName } from '#contract/catalogue/colour.ts';
import { cannotBeNamed, MAX_PARTS, readSetParts, type SetPart, setPartsText } from '#contract/catalogue/set-parts.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { FindWithin } from '#web/admin/orders/find-within.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/form/field.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';
import { useNamedProduct } from './use-named-product.ts';

/** The sizes that can be written in the text of a set. */
const namedSizes = (sizes: readonly { size: string }[]) => sizes.map(({ size }) => size).filter((size) => !cannotBeNamed(size));

/** What is wrong with a part of the set; undefined if nothing is. */
function partProblem({ size, colour }: SetPart, product: OfficeProduct | undefined, isGone: boolean): string | undefined {
  if (isGone) return 'This product was deleted, so the set is sold out.';
  if (!product) return undefined;
  if (product.state !== 'live') return `This product is not live (${product.state}), so the set is sold out.`;
  if (product.setParts) return 'This is a set itself. Choose its parts instead.';
  const chosenSize = product.sizes.find((one) => one.size === size);
  if (product.sizes.length > 0 && !chosenSize) return 'Choose a size. The set is sold out until then.';
  if (product.colors.length > 0 && !product.colors.some(({ hexCode }) => hexCode === colour)) return 'Choose a colour.';
  return undefined;
}

interface PartProps {
  part: SetPart;
  onChange: (part: SetPart | undefined) => void;
}

function Part({ part, onChange }: PartProps) {
  const { product, name, isGone } = useNamedProduct(part._id);
  const { sizes = [], colors = [] } = product ?? {};
  const colours = colors.map((colour) => ({ label: colourName(colour), value: colour.hexCode }));
  const colour = colours.find(({ value }) => value === part.colour)?.label ?? '';
  const hasSize = sizes.some(({ size }) => size === part.size);
  const problem = partProblem(part, product, isGone);
  return (
    <li className="grid gap-2 border-t border-line pt-3">
      <p className="font-medium wrap-anywhere">{name}</p>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Stepper name={name} value={part.qty} max={MAX_QUANTITY} onChange={(qty) => onChange({ ...part, qty })} />
        {sizes.length > 1 && (
          <Select
            label={`Size of ${name}`}
            required
            none="Choose a size"
            options={hasSize ? namedSizes(sizes) : ['', ...namedSizes(sizes)]}
            value={part.size ?? ''}
            onChange={({ target }) => onChange({ ...part, size: target.value || null })}
          />
        )}
        {colours.length > 1 && (
          <Select
            label={`Colour of ${name}`}
            required
            none="Choose a colour"
            options={[...(colour === '' ? [''] : []), ...colours.map(({ label }) => label)]}
            value={colour}
            onChange={({ target }) => onChange({ ...part, colour: colours.find(({ label }) => label === target.value)?.value ?? null })}
          />
        )}
        <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => onChange(undefined)}>
          Remove
        </Button>
      </div>
      {problem && <p className="wrong">{problem}</p>}
    </li>
  );
}

interface SetPartsProps {
  id: string;
  value: string;
  error?: string | undefined;
  /** What happens to the product's own stock. */
  note: string | undefined;
  onChange: (value: string) => void;
}

/** The parts of a set: products found by name, how many pieces of each, and in which size and colour. */
export function SetParts({ id, value, error, note, onChange }: SetPartsProps) {
  const dispatch = useAppDispatch();
  const parts = readSetParts(value) ?? [];
  const change = (next: readonly SetPart[]) => onChange(setPartsText(next));
  /** Adds a product in the first size and colour that the set does not have yet. */
  const add = async (productId: string) => {
    const { sizes, colors } = await dispatch(request('GET /api/office/products/:id', { params: { id: productId } }));
    const sizeChoices = sizes.length > 0 ? namedSizes(sizes) : [null];
    const colourChoices = colors.length > 0 ? colors.map(({ hexCode }) => hexCode) : [null];
    const choices = sizeChoices.flatMap((size) => colourChoices.map((colour) => ({ _id: productId, qty: 1, size, colour })));
    const isPart = ({ size, colour }: SetPart) => parts.some((one) => one._id === productId && one.size === size && one.colour === colour);
    const added = choices.find((choice) => !isPart(choice));
    if (!added) throw new Problem(409, 'All sizes and colours of this product that a set can name are in it already.');
    change([...parts, added]);
  };
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-3">
      <legend className="legend">Set of</legend>
      <p className="hint">
        A set has a price of its own, and is made of other products, such as a table and four chairs. Its stock is theirs. An order has the
        parts, each with its share of the price.
      </p>
      {parts.length > 0 && (
        <ul className="grid gap-3" aria-label="Parts of the set">
          {parts.map((part, index) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: a part has no id of its own, and its size and colour change in place.
              key={`${index} ${part._id}`}
              part={part}
              onChange={(changed) => change(parts.flatMap((one, other) => (other === index ? (changed ?? []) : one)))}
            />
          ))}
        </ul>
      )}
      {note && <Alert tone="note">{note}</Alert>}
      {error && <p className="wrong">{error}</p>}
      {parts.length < MAX_PARTS && (
        <FindWithin
          label="Name or SKU of the part"
          button="Find part"
          find={async (search) => (await dispatch(request('GET /api/office/products', { query: { search } }))).products}
          labelOf={({ name, fromPrice }) => `Add ${name}, ${pounds(fromPrice)}`}
          nothing="We couldn’t find a product with this name or SKU."
          onChoose={({ _id }) => add(_id)}
        />
      )}
    </fieldset>
  );
}
