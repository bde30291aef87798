import { type ReactNode, useContext } from 'react';
import { useSearchParams } from 'react-router';
import type { Right } from '#contract/accounts/roles.ts';
import { grouped, pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { costOf } from '#contract/orders/changes.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { StatusPill } from '#web/parts/order/status-pill.tsx';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OfficeContext } from './office-context.ts';

interface FoundSectionProps {
  title: string;
  /** The full list's name and path. */
  listName: string;
  path: string;
  q: string;
  list: { total: number; isCut?: boolean } | undefined;
  error: string;
  children?: ReactNode;
}

/** The first results of one list, with a link to the others. */
function FoundSection({ title, listName, path, q, list, error, children }: FoundSectionProps) {
  const id = `found-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id} className="grid content-start gap-3">
      <h2 id={id}>{title}</h2>
      {error && <Alert>{error}</Alert>}
      {!list && !error && <Skeleton label={`Looking for ${title.toLowerCase()}`} />}
      {list?.total === 0 && <p className="text-soft">None.</p>}
      {list && list.total > 0 && (
        <>
          <ul className="rounded-card border border-line bg-paper [&>li+li]:border-t [&>li]:border-line">{children}</ul>
          <Link to={`${path}?search=${encodeURIComponent(q)}`} className="link justify-self-start">
            {list.total === 1
              ? `Open in the ${listName}`
              : `Open ${list.isCut ? 'the first' : 'all'} ${grouped(list.total)} in the ${listName}`}
          </Link>
        </>
      )}
    </section>
  );
}

const ROW_CLASSES = 'flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-page';

function Orders({ q }: { q: string }) {
  const { value: list, error } = useLoaded('GET /api/orders', { query: { search: q } });
  return (
    <FoundSection title="Orders" listName="order list" path="/admin/orderlist" q={q} list={list} error={error}>
      {list?.orders.map((order) => (
        <li key={order._id}>
          <Link to={`/admin/orderdetails/${order._id}`} className={ROW_CLASSES}>
            <span className="whitespace-nowrap font-medium">{order.reference}</span>
            <span className="min-w-0 grow wrap-anywhere">{order.fullName || order.userName}</span>
            <StatusPill order={order} isOffice />
            <span className="tabular-nums">{pounds(costOf(order))}</span>
            <span className="whitespace-nowrap text-soft">{shopDay(order.createdAt)}</span>
          </Link>
        </li>
      ))}
    </FoundSection>
  );
}

function Products({ q }: { q: string }) {
  const { value: list, error } = useLoaded('GET /api/office/products', { query: { search: q } });
  return (
    <FoundSection title="Products" listName="product list" path="/admin/productlist" q={q} list={list} error={error}>
      {list?.products.map(({ _id, name, category, images, fromPrice, piecesLeft }) => (
        <li key={_id}>
          <Link to={`/admin/editproduct/${_id}`} className={ROW_CLASSES}>
            <span className="w-10">
              <Picture src={images[0] ?? ''} alt="" sizes="2.5rem" className="rounded-soft" />
            </span>
            <span className="min-w-0 grow wrap-anywhere">
              {name}
              <span className="block text-sm text-soft">{category}</span>
            </span>
            <span className="tabular-nums">{pounds(fromPrice)}</span>
            <span className="text-soft">{piecesLeft === 0 ? 'Sold out' : `${piecesLeft} in stock`}</span>
          </Link>
        </li>
      ))}
    </FoundSection>
  );
}

function Customers({ q }: { q: string }) {
  const { value: list, error } = useLoaded('GET /api/users', { query: { search: q } });
  return (
    <FoundSection title="Customers" listName="customer list" path="/admin/userlist" q={q} list={list} error={error}>
      {list?.users.map(({ _id, name, email }) => (
        <li key={_id}>
          <Link to={`/admin/editUser/${_id}`} className={ROW_CLASSES}>
            <span className="min-w-0 grow wrap-anywhere">
              {name}
              <span className="block text-sm text-soft">{email}</span>
            </span>
          </Link>
        </li>
      ))}
    </FoundSection>
  );
}

/** Links to the orders and customers with a tag, if the whole search text is a tag. */
function TagLinks({ q }: { q: string }) {
  const { value } = useLoaded('GET /api/office/tags', {});
  const tag = value?.tags.find((one) => one.toLowerCase() === q.toLowerCase());
  if (!tag) return null;
  const query = `?tag=${encodeURIComponent(tag)}`;
  return (
    <p className="mb-6 flex flex-wrap gap-x-4 gap-y-1">
      <span>Tagged “{tag}”:</span>
      <Link to={`/admin/orderlist${query}`} className="link">
        Orders
      </Link>
      <Link to={`/admin/userlist${query}`} className="link">
        Customers
      </Link>
    </p>
  );
}

/** Searches orders, products and customers, each with the search of its list. */
export function Component() {
  const [search] = useSearchParams();
  const { today } = useContext(OfficeContext);
  const may = (right: Right) => today?.rights.includes(right);
  const q = (search.get('q') ?? '').trim();
  return (
    <AdminFrame title={q ? `Find: ${q}` : 'Find'}>
      {q ? (
        <>
          {may('see orders') && <TagLinks q={q} />}
          <div className="grid gap-8 xl:grid-cols-2">
            <div className="xl:row-span-2">{may('see orders') && <Orders q={q} />}</div>
            {may('see products') && <Products q={q} />}
            {may('see customers') && <Customers q={q} />}
          </div>
        </>
      ) : (
        <p className="max-w-prose text-soft">
          Use the search field in the menu: a reference, name, email address, phone number, postcode, invoice or tracking number finds
          orders; a name, category, brand or SKU finds products; a name or email address finds customers; a tag finds everything that has
          it.
        </p>
      )}
    </AdminFrame>
  );
}
