import { type PropsWithChildren, useContext, useState } from 'react';
import { Link } from 'react-router';
import { MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/base/limits.ts';
import { LOW_STOCK, type Product, priceOf } from '#contract/catalogue.ts';
import { JsonLd } from '#web/parts/json-ld.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { type CartItem, itemAdded, selectCart } from '#web/state/cart.slice.ts';
import { load } from '#web/state/load.ts';
import { loadProduct, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { MarketContext, OriginContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { toast } from '#web/ui/toast.ts';
import { ColourChoice } from './colour-choice.tsx';
import { Gallery } from './gallery.tsx';
import { Measurements, SizeChoice } from './size-choice.tsx';
import { productSchema } from './structured-data.ts';

export const loader = load((store, { params }) => store.dispatch(loadProduct(params.id ?? '')));

/** The loading overlay, the red alert on failure, or the product (specification §2). */
export function Component() {
  const { product, pending, error, errorMessage } = useAppSelector(selectProductDetail);
  if (pending || (!product && !error)) {
    return (
      <Frame>
        <Skeleton label="Loading the product" shapes={['h-96 w-full', 'h-10 w-2/3', 'h-5 w-1/3']} />
      </Frame>
    );
  }
  if (!product) {
    return (
      <Frame>
        <Meta title="Product not found | Hearth & Oak" noindex />
        <h1 className="mb-4">This piece cannot be shown</h1>
        <Alert>{errorMessage}</Alert>
        <ButtonLink to="/shop" className="mt-6">
          All Products
        </ButtonLink>
      </Frame>
    );
  }
  return <ProductView key={product._id} product={product} />;
}

function Frame({ children }: PropsWithChildren) {
  return (
    <main id="main" className="container-page py-section">
      {children}
    </main>
  );
}

function Breadcrumbs({ product }: { product: Product }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-4 hidden text-sm text-soft md:block">
      <ol className="flex gap-2">
        <li>
          <Link to="/" className="link">
            Home
          </Link>{' '}
          /
        </li>
        <li>
          <Link to={`/shop?query=${encodeURIComponent(product.category)}`} className="link">
            {product.category}
          </Link>{' '}
          /
        </li>
        <li aria-current="page">{product.name}</li>
      </ol>
    </nav>
  );
}

/** How much there is, in words. */
function stockText(available: number): string {
  if (available <= 0) return 'Out of stock';
  return available <= LOW_STOCK ? `Only ${available} left` : 'In stock';
}

/** What is chosen on the page, and what follows from it. */
function useChoice(product: Product) {
  const firstInStock = product.sizes.find(({ quantity }) => quantity > 0) ?? product.sizes[0];
  const [size, setSize] = useState(firstInStock?.size);
  const [color, setColor] = useState(product.colors[0]?.hexCode);
  const [quantity, setQuantity] = useState(1);
  const chosen = product.sizes.find((entry) => entry.size === size);
  const available = Math.min(product.countInStock, chosen?.quantity ?? product.countInStock, MAX_QUANTITY);
  const qty = Math.max(1, Math.min(quantity, available));
  return { size, setSize, color, setColor, qty, setQuantity, chosen, available, price: priceOf(product, size) };
}

const choiceText = ({ size, colourName }: CartItem) => [size, colourName].filter(Boolean).join(', ');

/** Says what is in the cart now. A product has one line there (specification §4), so what the line was before is said too. */
function addedText(item: CartItem, before: CartItem | undefined): string {
  const choice = choiceText(item);
  const text = `${[item.name, choice].filter(Boolean).join(', ')} is in your cart`;
  if (before && choiceText(before) !== choice) return `${text}, in place of ${choiceText(before) || 'what you had chosen'}.`;
  return before && before.qty !== item.qty ? `${text}: now ${item.qty}, before ${before.qty}.` : `${text}.`;
}

function ProductView({ product }: { product: Product }) {
  const market = useContext(MarketContext);
  const origin = useContext(OriginContext);
  const dispatch = useAppDispatch();
  const { size, setSize, color, setColor, qty, setQuantity, chosen, available, price } = useChoice(product);
  const { items } = useAppSelector(selectCart);
  const [said, setSaid] = useState('');
  const { _id, name, images, description, colors, countInStock } = product;
  const colourName = colors.find(({ hexCode }) => hexCode === color)?.name;
  const add = () => {
    const item: CartItem = { _id, name, image: images[0] ?? '', price, qty, ...(size && { size }), ...(color && { color, colourName }) };
    const text = addedText(
      item,
      items.find((line) => line._id === _id),
    );
    dispatch(itemAdded(item));
    setSaid(text);
    toast.seen(text);
  };
  return (
    <main id="main" className="container-page pb-section pt-4 md:pt-8">
      <Meta title={name} description={description.slice(0, 160)} canonical={`/product/${_id}`} image={images[0]} />
      <JsonLd data={productSchema(product, origin)} />
      <Breadcrumbs product={product} />
      <div className="grid gap-6 md:grid-cols-2 lg:gap-16">
        <Gallery images={images} name={name} />
        <div className="grid content-start gap-5">
          <div className="grid gap-1.5">
            <h1>{name}</h1>
            <p className="flex flex-wrap items-center gap-x-4 text-soft">
              <Stars rating={product.rating} /> {product.brand}
            </p>
            <p className="font-display text-title">{market.shopPrice(price)}</p>
            <p className="text-sm text-soft">
              {stockText(available)}. {available > 0 && market.deliveryPromise}
            </p>
          </div>
          {product.sizes.length > 0 && <SizeChoice sizes={product.sizes} price={product.price} chosen={size} onChoose={setSize} />}
          <ColourChoice colors={colors} chosen={color} onChoose={setColor} />
          {countInStock > 0 && available > 0 ? (
            <div className="sticky bottom-0 z-10 grid gap-2 bg-page py-2 md:static md:py-0">
              <div className="flex flex-wrap items-center gap-4">
                <Stepper name={name} value={qty} max={available} onChange={setQuantity} />
                <Button className="flex-1" onClick={add}>
                  Add To Cart
                </Button>
              </div>
              {qty === available && (
                <p className="text-sm font-medium text-clay">
                  {available === MAX_QUANTITY ? MAX_QUANTITY_TEXT : `That is all there is: ${available}.`}
                </p>
              )}
            </div>
          ) : (
            <p className="rounded-soft border border-edge px-4 py-3 text-center font-semibold">Out of Stock</p>
          )}
          <p role="status" aria-live="polite" className="sr-only">
            {said}
          </p>
          <p className="prose whitespace-pre-line border-t border-line pt-5">{description}</p>
          <Measurements entries={chosen?.measurements ?? []} caption={`Measurements${chosen ? `, ${chosen.size}` : ''}`} />
          <Measurements entries={product.measurements} caption="Measurements" />
        </div>
      </div>
    </main>
  );
}
