import { useContext } from 'react';
import { readDraft } from '#web/browser/drafts.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { loadList } from '#web/shop/catalogue/load-list.ts';
import { ProductGrid } from '#web/shop/catalogue/product-grid.tsx';
import { useListParameters, withParameters } from '#web/shop/filters/list-url.ts';
import { LazyRooms } from '#web/shop/rooms/lazy-rooms.tsx';
import { load } from '#web/state/load.ts';
import { loadRooms, selectProductList, selectRooms, selectShownList } from '#web/state/product-list.slice.ts';
import { CompanyContext, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Link } from '#web/ui/link.tsx';
import { Creations } from './creations.tsx';
import { Hero } from './hero.tsx';
import { SOCIAL_CARD } from './scenes.ts';
import { ServiceRow } from './service-row.tsx';

const loadHomeRooms = load((store) => store.dispatch(loadRooms()));

/** Loads the list for the URL's parameters (§2), and the rooms. */
export const loader: typeof loadList = async (args) => {
  const [reply] = await Promise.all([loadList(args), loadHomeRooms(args)]);
  return reply;
};

/** The list for the URL's parameters (clarification 10): without any, recommended products. */
function HomeList() {
  const search = useListParameters();
  const { pending, error } = useAppSelector(selectProductList);
  const { products, total } = useAppSelector(selectShownList);
  const isFiltered = [...search.keys()].some((name) => name !== 'currPage');
  if (products.length === 0 && (error || pending || !isFiltered)) return null;
  return (
    <section className="container-page pt-section">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-title">{isFiltered ? 'Your selection' : 'Recommended'}</h2>
        <Link to={withParameters(search, {})} className="link">
          {total < 2 ? 'Open in the shop' : `See all ${total} products`}
        </Link>
      </div>
      {total === 0 && <p>Nothing matches this selection.</p>}
      <ProductGrid products={products} label={isFiltered ? 'Your selection' : 'Recommended products'} level={3} />
    </section>
  );
}

function HomeRooms() {
  const rooms = useAppSelector(selectRooms);
  if (rooms.length === 0) return null;
  return (
    <div className="container-page pt-section">
      <LazyRooms title="Shop this room" isLarge rooms={rooms} />
    </div>
  );
}

const PlacedOrder = lazyPart(async () => (await import('#web/shop/confirmation/placed-order.tsx')).PlacedOrder);

/** The order just placed in this tab. */
function JustPlaced() {
  const user = useAppSelector(selectUserInfo);
  const { id } = user ? readDraft('placedOrder', user._id) : {};
  return id ? <PlacedOrder key={id} id={id} /> : null;
}

export function Component() {
  const { shop, home } = useContext(CompanyContext);
  return (
    <main id="main">
      <Meta
        title={`Welcome to ${shop}`}
        noShopName
        description="We sell the best furniture: sofas, wardrobes, chairs, lamps and more, delivered all over the UK."
        keywords="stylish furniture, comfortable rooms"
        canonical="/"
        image={home.hero ?? SOCIAL_CARD}
      />
      <JustPlaced />
      <Hero />
      <p className="bg-accent-tint px-4 py-4 text-center font-display text-heading">Furniture at your doorstep</p>
      <ServiceRow />
      <Creations />
      <HomeRooms />
      <HomeList />
    </main>
  );
}
