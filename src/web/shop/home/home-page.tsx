import { useContext } from 'react';
import { Link } from 'react-router';
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
import { ButtonLink } from '#web/ui/button.tsx';
import { Creations } from './creations.tsx';
import { Scene } from './scene.tsx';
import { LIVING_ROOM, LIVING_ROOM_TALL, SOCIAL_CARD } from './scenes.ts';
import { ServiceRow } from './service-row.tsx';

const loadEveryRoom = load((store) => store.dispatch(loadRooms()));

/** Loads the list by the URL's parameters (§2), and the rooms to shop. */
export const loader: typeof loadList = async (args) => {
  const [reply] = await Promise.all([loadList(args), loadEveryRoom(args)]);
  return reply;
};

function Hero() {
  return (
    <section className="grid md:min-h-[34rem] md:grid-cols-[5fr_7fr] min-[84rem]:grid-cols-[calc((100%-84rem)/2+38rem)_1fr] min-[100rem]:grid-cols-[calc((100%-min(100%,104rem))/2+44rem)_1fr]">
      <div className="grid content-center justify-items-start gap-6 px-gutter py-10 lg:py-16 min-[84rem]:w-[38rem] min-[100rem]:w-[44rem] min-[84rem]:justify-self-end">
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

/** The list for the URL's parameters (clarification 10): recommended products by default. */
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
  const { shop } = useContext(CompanyContext);
  return (
    <main id="main">
      <Meta
        title={`Welcome to ${shop}`}
        isWhole
        description="We sell the best furniture: sofas, wardrobes, chairs, lamps and more, delivered all over the UK."
        keywords="stylish furniture, comfortable rooms"
        canonical="/"
        image={SOCIAL_CARD}
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
