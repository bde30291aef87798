import { useState } from 'react';
import { BRING_BACK_DAYS, type OfficeCard } from '#contract/catalogue/catalogue.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { countText } from '#web/admin/count-text.ts';
import { Choice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { RowCheckbox } from '#web/admin/row-checkbox.tsx';
import { ShortId } from '#web/admin/short-id.tsx';
import { useDeletion } from '#web/admin/use-deletion.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { BulkBar, useProductSelection } from './bulk-edit.tsx';
import { ProductImport } from './import-dialog.tsx';
import { QuickEdit } from './quick-edit.tsx';
import { SuccessorDialog } from './successor-dialog.tsx';

const SORTS = [
  ['newest', 'Newest first'],
  ['name', 'Name'],
  ['ascprice', 'Price, low to high'],
  ['descprice', 'Price, high to low'],
  ['stock', 'Least in stock'],
] as const;
const STOCKS = [
  ['', 'All'],
  ['low', 'Low'],
  ['out', 'Sold out'],
] as const;
const STATES = [
  ['', 'All'],
  ['live', 'Live'],
  ['draft', 'Drafts'],
  ['hidden', 'Hidden'],
  ['scheduled', 'Scheduled'],
  ['deleted', 'Deleted'],
] as const;

/** A filter's value in the URL; empty, meaning all, for a value that the filter does not have. */
const choiceInUrl = <Value extends string>(choices: readonly (readonly [Value, string])[], inUrl: string | null): Value | '' =>
  choices.find(([value]) => value === inUrl)?.[0] ?? '';

/** The name, and the state of a product that is not live. */
function nameCell({ name, state, liveFrom, successor }: OfficeCard) {
  const stateText = state === 'scheduled' && liveFrom ? `Live from ${shopTime(liveFrom)}` : state;
  return (
    <>
      {name}
      {state !== 'live' && <span className="hint block first-letter:uppercase">{stateText}</span>}
      {successor && <span className="hint block">Its address redirects to {successor.name}</span>}
    </>
  );
}

function stockCell({ piecesLeft, isLow }: OfficeCard) {
  if (piecesLeft === 0) return <span className="font-medium text-bad">Sold out</span>;
  return isLow ? <span className="font-medium text-clay">Low: {piecesLeft}</span> : piecesLeft;
}

/** The product's own price; the list sorts by the lowest price. */
function priceCell({ price, fromPrice, toPrice }: OfficeCard) {
  return (
    <span className="xl:whitespace-nowrap">
      {pounds(price)}
      {(fromPrice !== price || toPrice !== price) && (
        <span className="hint block">
          Sizes {pounds(fromPrice)}
          {toPrice > fromPrice && ` to ${pounds(toPrice)}`}
        </span>
      )}
    </span>
  );
}

interface RowActions {
  selection: ReturnType<typeof useProductSelection>;
  onQuickEdit: (product: OfficeCard) => void;
  onDelete: (product: OfficeCard) => void;
  onBringBack: (product: OfficeCard) => void;
  onSuccessor: (product: OfficeCard) => void;
}

const columns = ({ selection, onQuickEdit, onDelete, onBringBack, onSuccessor }: RowActions) => [
  {
    label: 'Select',
    cell: ({ _id, name, state }: OfficeCard) =>
      state !== 'deleted' && <RowCheckbox name={name} checked={selection.chosen.has(_id)} onChange={() => selection.toggle(_id)} />,
  },
  { label: 'ID', cell: ({ _id }: OfficeCard) => <ShortId id={_id} /> },
  { label: 'Name', cell: nameCell },
  { label: 'Price', cell: priceCell },
  { label: 'Category', cell: ({ category }: OfficeCard) => category },
  { label: 'Stock', cell: stockCell },
  {
    label: 'Edit/Delete',
    cell: (product: OfficeCard) =>
      product.state === 'deleted' ? (
        <span className="flex gap-x-4 gap-y-2 whitespace-nowrap md:max-xl:flex-col md:max-xl:items-start">
          <button type="button" className="link" aria-label={`Bring back ${product.name}`} onClick={() => onBringBack(product)}>
            Bring back
          </button>
          <button type="button" className="link" aria-label={`Successor of ${product.name}`} onClick={() => onSuccessor(product)}>
            Successor
          </button>
        </span>
      ) : (
        <span className="flex gap-x-4 gap-y-2 whitespace-nowrap md:max-xl:flex-col md:max-xl:items-start">
          <Link to={`/admin/editproduct/${product._id}`} className="link" aria-label={`Edit ${product.name}`}>
            Edit
          </Link>
          <button type="button" className="link" aria-label={`Quick edit of ${product.name}`} onClick={() => onQuickEdit(product)}>
            Quick edit
          </button>
          <button type="button" className="link text-bad" aria-label={`Delete ${product.name}`} onClick={() => onDelete(product)}>
            Delete
          </button>
        </span>
      ),
  },
];

function Actions({ exporting, onImported }: { exporting: ReturnType<typeof useAction>; onImported: () => void }) {
  const [isImporting, setIsImporting] = useState(false);
  return (
    <div className="flex flex-wrap gap-3">
      <DownloadButton
        label="Export CSV"
        endpoint="GET /api/products/export"
        input={{ query: { columns: 'words' } }}
        filename="products.csv"
        action={exporting}
      />
      <Button look="secondary" onClick={() => setIsImporting(true)}>
        Import CSV
      </Button>
      <ButtonLink to="/admin/createproduct/">Add New Product</ButtonLink>
      <ButtonLink to="/admin/settings?section=catalogue" look="secondary">
        Categories and rooms
      </ButtonLink>
      <ProductImport open={isImporting} onClose={() => setIsImporting(false)} onImported={onImported} />
    </div>
  );
}

/** All products (specification §2). */
export function Component() {
  const { search, page, hrefOf, change } = useListUrl();
  const sortBy = search.get('sortBy') ?? 'newest';
  const filters = {
    search: search.get('search') ?? '',
    stockQuery: choiceInUrl(STOCKS, search.get('stock')),
    stateQuery: choiceInUrl(STATES, search.get('state')),
  };
  const { value: list, error, reload } = useLoaded('GET /api/office/products', { query: { pageNumber: page, ...filters, sortBy } });
  const exporting = useAction();
  const dispatch = useAppDispatch();
  const action = useAction();
  const deletion = useDeletion<OfficeCard>({
    endpoint: 'DELETE /api/products/:id',
    question: 'Are you sure you want to delete this Product?',
    textOf: ({ name }) => `${name}. Orders that include it are kept, and for ${BRING_BACK_DAYS} days you can bring it back.`,
    reload,
  });
  const [predecessor, setPredecessor] = useState<OfficeCard>();
  const [quickEdited, setQuickEdited] = useState<OfficeCard>();
  const products = list?.products ?? [];
  const nextToEdit = quickEdited && products[products.findIndex(({ _id }) => _id === quickEdited._id) + 1];
  const selection = useProductSelection(products);
  useLastPage(page, list, hrefOf);
  const bringBack = ({ _id, name }: OfficeCard) =>
    action.run(_id, async () => {
      await dispatch(request('POST /api/office/products/:id/bring-back', { params: { id: _id } }));
      await reload();
      return `${name} is back.`;
    });
  const onSuccessorChosen = (message: string) => {
    setPredecessor(undefined);
    action.run('successor', async () => {
      await reload();
      return message;
    });
  };
  const errorText = error || exporting.error || action.error;
  return (
    <AdminFrame title="Products" changes="change products" action={<Actions exporting={exporting} onImported={() => void reload()} />}>
      <ListTools label="Find by id, name, category or brand" search={filters.search} onSearch={(text) => change({ search: text })}>
        <Choice label="Stock" value={filters.stockQuery} options={STOCKS} onChange={(stock) => change({ stock })} />
        <Choice label="State" value={filters.stateQuery} options={STATES} onChange={(state) => change({ state })} />
        <Choice label="Sort" value={sortBy} options={SORTS} onChange={(value) => change({ sortBy: value === 'newest' ? '' : value })} />
      </ListTools>
      {errorText && <Alert>{errorText}</Alert>}
      {action.done && <Alert tone="good">{action.done}</Alert>}
      {deletion.message}
      {!list && !error && <Skeleton label="Loading the products" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{countText(list.total, 'product')}</p>
          {list.total === 0 && <NothingFound />}
          {filters.stateQuery !== 'deleted' && <BulkBar selection={selection} filters={filters} total={list.total} onChange={reload} />}
          {list.total > 0 && (
            <Table
              caption="Products"
              columns={columns({
                selection,
                onQuickEdit: setQuickEdited,
                onDelete: deletion.ask,
                onBringBack: bringBack,
                onSuccessor: setPredecessor,
              })}
              rows={list.products}
              keyOf={({ _id }) => _id}
            />
          )}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
      {deletion.dialog}
      <QuickEdit
        product={quickEdited}
        next={nextToEdit}
        onChange={setQuickEdited}
        onSaved={({ name }) =>
          action.run('quick', async () => {
            await reload();
            return `${name} is saved.`;
          })
        }
      />
      <SuccessorDialog product={predecessor} onClose={() => setPredecessor(undefined)} onChosen={onSuccessorChosen} />
    </AdminFrame>
  );
}
