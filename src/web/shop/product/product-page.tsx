import { type PropsWithChildren, useEffect, useState } from 'react';
import { type ShouldRevalidateFunction, useLocation } from 'react-router';
import { type Product, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { productPath, variantName } from '#contract/catalogue/variant.ts';
import { hasLeadTime } from '#contract/delivery/lead-time.ts';
import { JsonLd } from '#web/parts/json-ld.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { Gallery } from '#web/shop/gallery/gallery.tsx';
import { isWide, picturesOf } from '#web/shop/gallery/picture-sizes.ts';
import { RecentlySeen } from '#web/shop/related/recently-seen.tsx';
import { load } from '#web/state/load.ts';
import { loadDelivery, loadProduct, loadRelated, loadReviews, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { type AppStore, useAppSelector } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { BuyBox } from './buy-box.tsx';
import { CompleteRoom, FitSection, GoesWith, NotShown, Reviews } from './lazy-parts.tsx';
import { ProductData } from './structured-data.tsx';
import { toSuccessor } from './successor.ts';
import { type Choice, useChoice } from './use-choice.ts';
import { useOwnHold } from './use-own-hold.ts';

/** Loads a product and the usual delivery days, then its own days if it is not dispatched from stock. */
async function loadWithDays(store: AppStore, id: string): Promise<void> {
  const [loaded] = await Promise.all([store.dispatch(loadProduct(id)), store.dispatch(loadDelivery({ postcode: '', products: '' }))]);
  if (loadProduct.fulfilled.match(loaded) && hasLeadTime(loaded.payload))
    await store.dispatch(loadDelivery({ postcode: '', products: id }));
}

export const loader = load(async (store, { params: { id = '' }, search }) => {
  await Promise.all([
    loadWithDays(store, id),
    store.dispatch(loadReviews({ id, search: String(search) })),
    store.dispatch(loadRelated(id)),
  ]);
  return toSuccessor(store.getState().productDetail);
});

/**
 * A change of the query or the fragment alone does not load the product again, which would forget the chosen size and colour. Pages of reviews
 * are loaded by themselves (`useReviews`); what is opened over the page, such as the 3D view, needs nothing more.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  defaultShouldRevalidate &&
  (currentUrl.pathname !== nextUrl.pathname || (currentUrl.search === nextUrl.search && currentUrl.hash === nextUrl.hash));

/** The loading overlay, the red alert on failure, or the product (specification §2). */
export function Component() {
  const { product, pending, error } = useAppSelector(selectProductDetail);
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
        <NotShown />
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
      <ol className="flex gap-1">
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

/** The order of the pictures: first the picture of the variant in the URL that the page was opened with, so that it shows without scrolling. */
function usePictureOrder({ images }: Product, { named, picture }: Choice): number[] {
  const [first] = useState(named.size || named.colour ? picture : 0);
  const places = images.map((_, place) => place);
  return [...places.filter((place) => place === first), ...places.filter((place) => place !== first)];
}

/**
 * The page's sections, in this order: pictures and what is bought, will it fit, the room, goes well with, reviews, recently seen. A section that follows
 * a choice, such as the size, takes it from `choice`.
 */
function ProductView({ product: loaded }: { product: Product }) {
  const product = useOwnHold(loaded);
  const choice = useChoice(product);
  const { hash } = useLocation();
  // Mails and orders lead to the review's form, which opens by itself once its code is there.
  useEffect(() => {
    if (hash === '#write-review') void Reviews.load();
  }, [hash]);
  const { _id, name, images, description, seoTitle, seoDescription } = product;
  const gallery = picturesOf(product);
  const pictureOrder = usePictureOrder(product, choice);
  const columns = isWide(product)
    ? 'md:grid-cols-[minmax(0,min(92svh,54%))_minmax(0,1fr)]'
    : 'md:grid-cols-[minmax(0,min(64svh,50%))_minmax(0,1fr)]';
  const isNamed = Object.values(choice.named).some(Boolean);
  // Parts are measured and reviewed on pages of their own.
  const isSet = product.parts.length > 0;
  return (
    <main id="main" className="container-page grid grid-cols-1 gap-section pb-section pt-4 md:pt-8">
      <Meta
        title={seoTitle || name}
        noShopName
        description={seoDescription || description.slice(0, 160)}
        canonical={productPath(_id)}
        shared={{ title: variantName(name, choice.named), path: productPath(_id, choice.named) }}
        image={isNamed ? images[choice.picture] : images[0]}
      />
      {/* The browser keeps the server's structured data, so its bundle lacks the code that makes it. */}
      {import.meta.env.SSR ? <ProductData product={product} choice={choice} /> : <JsonLd data={undefined} />}
      <div>
        <Breadcrumbs product={product} />
        <div className={`grid grid-cols-1 gap-2 md:gap-6 lg:gap-16 ${columns}`}>
          <Gallery
            pictures={pictureOrder.flatMap((place) => gallery[place] ?? [])}
            name={name}
            isWide={isWide(product)}
            chosen={pictureOrder.indexOf(choice.picture)}
          />
          <BuyBox product={product} choice={choice} isHeld={stockOfSize(product, choice.size) > stockOfSize(loaded, choice.size)} />
        </div>
      </div>
      {(!isSet || product.dimensions.length > 0) && (
        <section aria-labelledby="fit" className="grid gap-5 border-t border-line pt-8">
          <h2 id="fit">Will it fit?</h2>
          <FitSection product={product} size={choice.size} />
        </section>
      )}
      <CompleteRoom id={_id} />
      <GoesWith />
      {(!isSet || product.reviewCount > 0) && <Reviews product={product} />}
      <RecentlySeen product={product} choice={choice} />
    </main>
  );
}
