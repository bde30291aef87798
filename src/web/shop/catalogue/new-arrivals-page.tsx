import { useContext } from 'react';
import { useRevalidator } from 'react-router';
import { Meta } from '#web/parts/meta.tsx';
import { load } from '#web/state/load.ts';
import { loadNewArrivals, selectHaveNewArrivalsFailed, selectNewArrivals } from '#web/state/product-list.slice.ts';
import { CompanyContext, useAppSelector } from '#web/state/store.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { FailedLoad } from '#web/ui/failed-load.tsx';
import { ProductGrid } from './product-grid.tsx';

export const loader = load((store) => store.dispatch(loadNewArrivals()));

function Arrivals() {
  const { revalidate } = useRevalidator();
  const products = useAppSelector(selectNewArrivals);
  const hasFailed = useAppSelector(selectHaveNewArrivalsFailed);
  if (hasFailed) return <FailedLoad message="We could not load the new arrivals." onRetry={revalidate} />;
  if (products.length > 0) return <ProductGrid products={products} eager={4} label="New arrivals" />;
  return (
    <div className="grid justify-items-start gap-4">
      <p>There are no new arrivals at the moment. Have a look at the rest of the shop.</p>
      <ButtonLink to="/shop">All Products</ButtonLink>
    </div>
  );
}

/** New Arrivals: two columns on small screens, four from medium (specification §2). A failure is logged (specification §8) and shown. */
export function Component() {
  const products = useAppSelector(selectNewArrivals);
  const { shop } = useContext(CompanyContext);
  return (
    <main id="main" className="container-page py-section">
      <Meta title="New Arrivals" description={`The newest furniture at ${shop}.`} canonical="/newarrivals" image={products[0]?.images[0]} />
      <h1>New Arrivals</h1>
      <p className="mb-10 mt-3 max-w-prose text-soft">Our latest pieces, added in the last few weeks.</p>
      <Arrivals />
    </main>
  );
}
