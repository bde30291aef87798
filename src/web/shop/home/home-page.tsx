import { Link } from 'react-router';
import { readDraft } from '#web/browser/drafts.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { loadList } from '#web/shop/catalogue/load-list.ts';
import { ProductGrid } from '#web/shop/catalogue/product-grid.tsx';
import { useListParameters, withParameters } from '#web/shop/filters/list-url.ts';
import { selectProductList, selectShownList } from '#web/state/product-list.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Scene } from './scene.tsx';
import { LIVING_ROOM, LIVING_ROOM_TALL, SOCIAL_CARD, SOFA, WARDROBE } from './scenes.ts';

/** The home page loads the list with its URL's parameters (specification §2). */
export const loader = loadList;

const TILES = [
  { category: 'Wardrobe', source: WARDROBE, alt: 'An oak wardrobe with fluted doors' },
  { category: 'Sofa', source: SOFA, alt: 'A green velvet sofa before sage panelling, with an oak table and a floor lamp' },
];

function Hero() {
  return (
    <section className="grid md:min-h-[34rem] md:grid-cols-[5fr_7fr] min-[84rem]:grid-cols-[calc((100%-84rem)/2+38rem)_1fr]">
      <div className="grid content-center justify-items-start gap-6 px-gutter py-10 lg:py-16 min-[84rem]:w-[38rem] min-[84rem]:justify-self-end">
        <h1 className="text-display">Transform Your Space with Stylish &amp; Comfortable Furniture</h1>
        <ButtonLink to="/newarrivals">Shop Now</ButtonLink>
      </div>
      <Scene
        source={LIVING_ROOM}
        narrow={LIVING_ROOM_TALL}
        alt="A living room with a pale sofa, a walnut table and a leather armchair in the sun"
        sizes="(min-width: 768px) 60vw, 100vw"
        width={1440}
        height={902}
        priority
        className="aspect-square w-full object-cover object-[40%_80%] md:aspect-auto md:h-full"
      />
    </section>
  );
}

function Creations() {
  return (
    <section className="container-page pt-section">
      <h2 className="mb-6 text-title">Our Creations</h2>
      <ul className="grid gap-6 sm:grid-cols-2">
        {TILES.map(({ category, source, alt }) => (
          <li key={category}>
            <Link to={`/shop?query=${category}`} className="group relative block overflow-hidden rounded-card bg-stage">
              <Scene
                source={source}
                alt={alt}
                sizes="(min-width: 640px) 48vw, 100vw"
                width={960}
                height={1200}
                className="aspect-[6/7] w-full object-cover transition-transform duration-500 ease-calm group-hover:scale-102"
              />
              <span className="absolute bottom-4 left-4 rounded-soft bg-page px-4 py-2 font-display text-heading">{category}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The list of the page's parameters (clarification 10): what is recommended, or what was asked for. */
function HomeList() {
  const search = useListParameters();
  const { pending, error } = useAppSelector(selectProductList);
  const { products, total } = useAppSelector(selectShownList);
  const isNarrowed = [...search.keys()].some((name) => name !== 'currPage');
  if (products.length === 0 && (error || pending || !isNarrowed)) return null;
  return (
    <section className="container-page pt-section">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-title">{isNarrowed ? 'Your selection' : 'Recommended'}</h2>
        <Link to={withParameters(search, {})} className="link">
          {total === 0 ? 'Open in the shop' : `See all ${total} products`}
        </Link>
      </div>
      {total === 0 && <p>Nothing matches this selection.</p>}
      <ProductGrid products={products} label={isNarrowed ? 'Your selection' : 'Recommended products'} level={3} />
    </section>
  );
}

const { Part: PlacedOrder } = lazyPart(() => import('#web/shop/confirmation/placed-order.tsx').then((part) => part.PlacedOrder));

/** The order that was just placed in this tab. */
function JustPlaced() {
  const user = useAppSelector(selectUserInfo);
  const { id } = user ? readDraft('placedOrder', user._id) : {};
  return id ? <PlacedOrder key={id} id={id} /> : null;
}

export function Component() {
  return (
    <main id="main">
      <Meta
        title="Welcome to Hearth & Oak"
        description="We sell the best furniture: sofas, wardrobes, chairs, lamps and more, delivered all over the UK."
        keywords="stylish furniture, comfortable rooms"
        canonical="/"
        image={SOCIAL_CARD}
      />
      <JustPlaced />
      <Hero />
      <p className="bg-accent-tint px-4 py-4 text-center font-display text-heading">Furniture at your doorstep</p>
      <Creations />
      <HomeList />
    </main>
  );
}
