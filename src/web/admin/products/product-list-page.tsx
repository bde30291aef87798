import { useState } from 'react';
import { Link } from 'react-router';
import { deleteProduct, LOW_STOCK, listProducts, type ProductCard } from '#contract/catalogue.ts';
import { pounds } from '#contract/money.ts';
import { messageOf } from '#contract/problem.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, ListTools } from '#web/admin/list-tools.tsx';
import { useCall, useLoaded } from '#web/admin/use-call.ts';
import { useLastPage, useListUrl } from '#web/admin/use-list-url.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';

const SORTS = [
  ['newest', 'Newest first'],
  ['name', 'Name'],
  ['ascprice', 'Price, low to high'],
  ['descprice', 'Price, high to low'],
] as const;

function stockMark(count: number) {
  if (count === 0) return <span className="font-medium text-bad">Sold out</span>;
  return count <= LOW_STOCK ? <span className="font-medium text-clay">Low: {count}</span> : count;
}

const columns = (onDelete: (product: ProductCard) => void) => [
  { label: 'ID', cell: ({ _id }: ProductCard) => _id },
  { label: 'Name', cell: ({ name }: ProductCard) => name },
  { label: 'Price', cell: ({ price }: ProductCard) => <span className="whitespace-nowrap">{pounds(price)}</span> },
  { label: 'Category', cell: ({ category }: ProductCard) => category },
  { label: 'Stock', cell: ({ countInStock }: ProductCard) => stockMark(countInStock) },
  {
    label: 'Edit/Delete',
    cell: (product: ProductCard) => (
      <span className="flex flex-wrap gap-4">
        <Link to={`/admin/editproduct/${product._id}`} className="link" aria-label={`Edit ${product.name}`}>
          Edit
        </Link>
        <button type="button" className="link text-bad" aria-label={`Delete ${product.name}`} onClick={() => onDelete(product)}>
          Delete
        </button>
      </span>
    ),
  },
];

/** All products (specification §2). */
export function Component() {
  const { search, page, hrefOf, change } = useListUrl();
  const sortBy = search.get('sortBy') ?? 'newest';
  const query = { pageNumber: page, pageSize: 10, search: search.get('search') ?? '', sortBy };
  const { value: list, error, reload } = useLoaded(listProducts, { query });
  const call = useCall();
  const [doomed, setDoomed] = useState<ProductCard>();
  const [state, setState] = useState({ pending: false, error: '', done: '' });
  useLastPage(page, list, hrefOf);
  const confirm = async () => {
    if (!doomed) return;
    setState({ pending: true, error: '', done: '' });
    try {
      await call(deleteProduct, { params: { id: doomed._id } });
      await reload();
      setState({ pending: false, error: '', done: `${doomed.name} was deleted.` });
    } catch (failure) {
      setState({ pending: false, error: messageOf(failure), done: '' });
    }
    setDoomed(undefined);
  };
  return (
    <AdminFrame title="Products" action={<ButtonLink to="/admin/createproduct/">Add New Product</ButtonLink>}>
      <ListTools label="Find by id, name, category or brand" search={query.search} onSearch={(text) => change({ search: text })}>
        <Choice label="Sort" value={sortBy} options={SORTS} onChange={(value) => change({ sortBy: value === 'newest' ? '' : value })} />
      </ListTools>
      {(error || state.error) && <Alert>{error || state.error}</Alert>}
      {state.done && <Alert tone="good">{state.done}</Alert>}
      {!list && !error && <Skeleton label="Loading the products" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{list.total === 1 ? '1 product' : `${list.total} products`}</p>
          {list.total > 0 && <Table caption="Products" columns={columns(setDoomed)} rows={list.products} keyOf={({ _id }) => _id} />}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
      <ConfirmDialog
        open={doomed !== undefined}
        question="Are you sure you want to delete this Product?"
        name={doomed ? `${doomed.name}. Orders that name it keep it.` : ''}
        action="Delete"
        pending={state.pending}
        onConfirm={() => void confirm()}
        onCancel={() => setDoomed(undefined)}
      />
    </AdminFrame>
  );
}
