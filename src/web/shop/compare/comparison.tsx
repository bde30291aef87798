import { X } from 'lucide';
import { useContext, useState } from 'react';
import { defaultSizeOf, type Product, priceOf, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { productPathOf, variantName } from '#contract/catalogue/variant.ts';
import { useDelivery, usePlace } from '#web/shop/delivery/use-delivery.ts';
import { useAdd } from '#web/shop/product/use-add.ts';
import { variantAsked } from '#web/shop/product/use-choice.ts';
import { CompanyContext, DeliveryContext, MarketContext } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { FailedLoad } from '#web/ui/failed-load.tsx';
import { Checkbox } from '#web/ui/form/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Compared, Wanted } from './compared.ts';
import { differs, inSize, type Row, rowsOf } from './rows.ts';

interface HeadProps {
  product: Product;
  /** The URL parameters of its variant. */
  variant: string;
  onDrop: (id: string) => void;
}

/** The compared variant, or the one that its page opens with. */
function variantOf(product: Product, variant: string) {
  const asked = variantAsked(product, new URLSearchParams(variant));
  const size = asked.size ?? defaultSizeOf(product);
  const color = (asked.colour ?? product.colors[0])?.hexCode;
  const name = variantName(product.name, { size: asked.size, colour: asked.colour?.name });
  return { name, size, color, picture: pictureOf(product.pictures, size, color) };
}

/** Puts the compared variant into the cart. */
function AddButton({ product, variant }: Omit<HeadProps, 'onDrop'>) {
  const { size, color, picture } = variantOf(product, variant);
  const { add, notice } = useAdd(product, { size, color, picture, parameters: variant, price: priceOf(product, size), qty: 1 });
  if (stockOfSize(product, size) === 0) return <p className="font-semibold">Out of Stock</p>;
  return (
    <div className="grid max-w-56 gap-1 print:hidden">
      <Button className="px-3" onClick={add}>
        Add To Cart<span className="sr-only">: {product.name}</span>
      </Button>
      <p role="status" className="text-sm">
        {notice?.text}
      </p>
    </div>
  );
}

function Head({ product, variant, onDrop }: HeadProps) {
  const { _id, images } = product;
  const { name, size, picture } = variantOf(product, variant);
  return (
    <th scope="col" className="p-2 text-left sm:p-3 align-top font-normal">
      <div className="relative max-w-56">
        <Picture src={images[picture] ?? ''} alt="" sizes="14rem" className="rounded-card" />
        <IconButton label={`Remove ${name}`} className="absolute right-1 top-1 bg-page print:hidden" onClick={() => onDrop(_id)}>
          <Icon of={X} />
        </IconButton>
      </div>
      <Link to={productPathOf(_id, variant)} className="link mt-2 block font-semibold">
        {name}
      </Link>
      {product.sizes.length > 1 && <p className="text-sm">{size}</p>}
    </th>
  );
}

interface LineProps {
  row: Row;
  products: readonly Product[];
  isDifferent: boolean;
  isTinted: boolean;
}

/** One line of the table. Differences are marked in words, and by colour where that helps. */
function Line({ row, products, isDifferent, isTinted }: LineProps) {
  return (
    <tr className={`border-t border-line ${isTinted ? 'bg-accent-tint' : ''}`}>
      <th
        scope="row"
        className={`sticky left-0 z-1 p-2 text-left wrap-anywhere sm:p-3 align-top font-semibold ${isTinted ? 'bg-accent-tint' : 'bg-page'}`}
      >
        {row.label}
        {isDifferent && <span className="block text-sm font-normal">differs</span>}
      </th>
      {products.map((product) => (
        <td key={product._id} className="p-2 align-top wrap-anywhere sm:p-3">
          <ul>
            {row.linesOf(product).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </td>
      ))}
    </tr>
  );
}

/** Products no longer sold, by name if this browser knows it. */
function Gone({ ids, chosen }: { ids: string[]; chosen: readonly Compared[] }) {
  if (ids.length === 0) return null;
  const names = ids.map((id) => chosen.find(({ _id }) => _id === id)?.name ?? 'One of the pieces');
  return (
    <ul className="my-4">
      {names.map((name, index) => (
        <li key={ids[index]}>{name} is no longer sold.</li>
      ))}
    </ul>
  );
}

interface ComparisonProps {
  /** The products in the URL, which may be somebody else's link. */
  wanted: readonly Wanted[];
  /** Those chosen in this browser, which know the names of products no longer sold. */
  chosen: readonly Compared[];
  onDrop: (id: string) => void;
}

/** Products side by side, in the order chosen. */
export function Comparison({ wanted, chosen, onDrop }: ComparisonProps) {
  const ids = wanted.map(({ _id }) => _id);
  const market = useContext(MarketContext);
  const { ratingSource } = useContext(CompanyContext);
  const { methods } = useContext(DeliveryContext);
  const delivery = useDelivery(usePlace());
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const { value, error, reload } = useLoaded('GET /api/products/compare', { query: { ids: ids.join(',') } });
  if (error) return <FailedLoad message={error} onRetry={reload} />;
  if (!value) return <Skeleton label="Loading the comparison" shapes={['h-64 w-full', 'h-10 w-full', 'h-10 w-full']} />;
  const products = ids.flatMap((id) => value.find(({ _id }) => _id === id) ?? []);
  const variantFor = ({ _id }: Product) => wanted.find((one) => one._id === _id)?.variant ?? '';
  // All lines are about the size that Add To Cart adds.
  const shown = products.map((product) => inSize(product, variantOf(product, variantFor(product)).size));
  const rows = rowsOf(market, methods, delivery, ratingSource).map((row) => ({ row, isDifferent: differs(row, shown) }));
  const differing = rows.filter(({ isDifferent }) => isDifferent).length;
  // Where most lines differ, a colour would show nothing.
  const isTinted = differing <= rows.length / 2;
  // Too wide for a phone.
  const isWide = products.length > 2;
  return (
    <>
      <Gone ids={ids.filter((id) => !value.some(({ _id }) => _id === id))} chosen={chosen} />
      {products.length > 1 && (
        <div className="print:hidden">
          <Checkbox
            label="Only show what differs"
            checked={onlyDifferences}
            onChange={({ target }) => setOnlyDifferences(target.checked)}
          />
        </div>
      )}
      {isWide && <p className="hint sm:hidden print:hidden">Swipe to see all {products.length}</p>}
      {products.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be scrolled by keyboard too.
        <section aria-label="Comparison" tabIndex={0} className={`overflow-x-auto print:overflow-visible ${isWide ? 'goes-on' : ''}`}>
          <table className="w-full table-fixed border-collapse" style={{ minWidth: `${6.5 + 9 * products.length}rem` }}>
            <caption className="sr-only">{products.length} pieces compared; rows that differ say so</caption>
            <thead>
              <tr>
                <td className="sticky left-0 z-1 w-26 bg-page p-2 align-bottom text-sm text-soft sm:w-28 sm:px-3">
                  {products.length} pieces
                </td>
                {products.map((product) => (
                  <Head key={product._id} product={product} variant={variantFor(product)} onDrop={onDrop} />
                ))}
              </tr>
              <tr className="print:hidden">
                <td className="sticky left-0 z-1 bg-page" />
                {products.map((product) => (
                  <td key={product._id} className="px-2 pb-2 align-top sm:px-3 sm:pb-3">
                    <AddButton product={product} variant={variantFor(product)} />
                  </td>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows
                .filter(({ isDifferent }) => isDifferent || !onlyDifferences)
                .map(({ row, isDifferent }) => (
                  <Line key={row.label} row={row} products={shown} isDifferent={isDifferent} isTinted={isDifferent && isTinted} />
                ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
