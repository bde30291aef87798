import { useState } from 'react';
import { shopDay } from '#contract/market/shop-time.ts';
import { MAX_PIECES } from '#contract/platform/limits.ts';
import { COUNT_REASONS, type CountReason } from '#contract/stock/reasons.ts';
import type { CountLine, StockedProduct } from '#contract/stock/stock.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { UnsavedGuard } from '#web/admin/unsaved-guard.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { CountImport } from './count-import.tsx';
import { signed } from './stock-history.tsx';

const SHOW_OPTIONS = [
  ['', 'All'],
  ['low', 'Running low'],
  ['out', 'Sold out'],
  ['differs', 'Count and sizes differ'],
] as const;

/** A product without sizes, or one of its sizes. */
type Place = StockedProduct['places'][number];
interface Row extends Place {
  key: string;
  product: StockedProduct;
  /** The first row of its product. */
  isFirst: boolean;
}

const rowsOf = (products: readonly StockedProduct[]): Row[] =>
  products.flatMap((product) =>
    product.places.map((place, index) => ({ ...place, product, isFirst: index === 0, key: `${product._id} ${place.size ?? ''}` })),
  );

const nameOf = ({ product, size }: Row) => (size === null ? product.name : `${product.name}, ${size}`);

/** The typed count of a row. */
interface TypedCount {
  counted: string;
  reason: CountReason;
}
const NO_COUNT: TypedCount = { counted: '', reason: 'counted' };

/** The counted pieces less those that should be there; undefined unless a valid number is typed. */
function differenceOf({ quantity, aside }: Row, { counted }: TypedCount): number | undefined {
  const isValid = /^\d{1,6}$/.test(counted.trim()) && Number(counted) <= MAX_PIECES;
  return isValid ? Number(counted) - (quantity + aside) : undefined;
}

function ProductCell({ row }: { row: Row }) {
  const { product, size, isFirst, countedAt } = row;
  return (
    <>
      <Link to={`/admin/editproduct/${product._id}`} className={isFirst ? 'link' : 'link text-soft'}>
        {product.name}
      </Link>
      {size !== null && <span className="block">{size}</span>}
      {countedAt && <span className="hint block">Counted {shopDay(countedAt)}</span>}
      {isFirst && product.sizesSum !== null && (
        <span className="block text-sm text-clay">
          Its count is {product.countInStock}, its sizes add up to {product.sizesSum}
        </span>
      )}
    </>
  );
}

function forSaleText({ quantity, isLow, product }: Row) {
  if (quantity === 0) return <span className="font-medium text-bad">Sold out</span>;
  if (!isLow) return quantity;
  return (
    <span className="font-medium text-clay" title={`Low at ${product.lowAt}`}>
      Low: {quantity}
    </span>
  );
}

const columnsOf = (typedOf: (row: Row) => TypedCount, changeTyped: (row: Row, changes: Partial<TypedCount>) => void): Column<Row>[] => [
  { label: 'Product', cell: (row) => <ProductCell row={row} /> },
  { label: 'For sale', cell: forSaleText, className: 'tabular-nums' },
  { label: 'Set aside', cell: ({ aside }) => aside, className: 'tabular-nums' },
  { label: 'Should be there', cell: ({ quantity, aside }) => quantity + aside, className: 'tabular-nums' },
  {
    label: 'Counted',
    cell: (row) => (
      <input
        className="input w-24 tabular-nums"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        aria-label={`Counted of ${nameOf(row)}`}
        aria-invalid={(typedOf(row).counted.trim() !== '' && differenceOf(row, typedOf(row)) === undefined) || undefined}
        value={typedOf(row).counted}
        onChange={({ target }) => changeTyped(row, { counted: target.value })}
      />
    ),
  },
  {
    label: 'Difference',
    cell: (row) => {
      const typed = typedOf(row);
      const difference = differenceOf(row, typed);
      if (typed.counted.trim() === '') return <span className="print:hidden">–</span>;
      if (difference === undefined) return <span className="text-bad">A whole number, please</span>;
      if (difference === 0) return 'None';
      return (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium tabular-nums">{signed(difference)}</span>
          <select
            className="input w-auto"
            aria-label={`Reason for the difference of ${nameOf(row)}`}
            value={typed.reason}
            onChange={({ target }) => changeTyped(row, { reason: target.value as CountReason })}
          >
            {Object.entries(COUNT_REASONS).map(([reason, words]) => (
              <option key={reason} value={reason}>
                {words}
              </option>
            ))}
          </select>
        </span>
      );
    },
  },
];

/** The count that is typed into the list, and sending it. */
function useCount(rows: readonly Row[], onEntered: () => void) {
  const dispatch = useAppDispatch();
  // Idempotency key: a count that is sent twice, such as after a lost answer, changes the stock once.
  const [sheetId, setSheetId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState<Record<string, TypedCount>>({});
  const { run, pending, error, done } = useAction();
  const typedOf = ({ key }: Row) => typed[key] ?? NO_COUNT;
  const changeTyped = (row: Row, changes: Partial<TypedCount>) =>
    setTyped((before) => ({ ...before, [row.key]: { ...typedOf(row), ...changes } }));
  const filledRows = rows.filter((row) => typedOf(row).counted.trim() !== '');
  const lines = filledRows.flatMap((row): CountLine[] => {
    const { counted, reason } = typedOf(row);
    const isValid = differenceOf(row, typedOf(row)) !== undefined;
    return isValid
      ? [{ productId: row.product._id, size: row.size, expected: row.quantity + row.aside, counted: Number(counted), reason }]
      : [];
  });
  const send = () =>
    run('count', async () => {
      const { same, changed } = await dispatch(request('POST /api/stock/counts', { body: { sheet: sheetId, lines } }));
      setTyped({});
      setSheetId(crypto.randomUUID());
      onEntered();
      return `Entered: ${same} as expected, ${changed} different.`;
    });
  return {
    typedOf,
    changeTyped,
    send,
    pending: pending !== '',
    error,
    done,
    filled: filledRows.length,
    canEnter: lines.length > 0 && lines.length === filledRows.length,
  };
}

/** The stock of all products and sizes, to look over, to count and to print (clarifications, section 12). */
export function Component() {
  const { search, page, hrefOf, change } = useListUrl();
  const query = { search: search.get('search') ?? '', categoryQuery: search.get('category') ?? '', show: search.get('show') ?? '' };
  const { value: list, error, reload } = useLoaded('GET /api/stock', { query: { pageNumber: page, ...query } });
  const { value: facets } = useLoaded('GET /api/products/facets', { query: {} });
  const rows = rowsOf(list?.products ?? []);
  const { typedOf, changeTyped, send, ...count } = useCount(rows, () => void reload());
  const downloading = useAction();
  const [isImporting, setIsImporting] = useState(false);
  useLastPage(page, list, hrefOf);
  const categories = facets?.categories.map(({ value }) => [value, value] as const) ?? [];
  const errorText = error || downloading.error;
  return (
    <AdminFrame
      title="Stock"
      changes="change products"
      back="/admin/productlist"
      action={
        <div className="flex flex-wrap gap-3">
          <DownloadButton
            label="Count sheet (CSV)"
            endpoint="GET /api/stock/sheet"
            input={{ query }}
            filename="count.csv"
            action={downloading}
          />
          <Button look="secondary" onClick={() => window.print()}>
            Print this page
          </Button>
          <Button look="secondary" onClick={() => setIsImporting(true)}>
            Import a count
          </Button>
        </div>
      }
    >
      <UnsavedGuard isChanged={count.filled > 0} />
      <CountImport open={isImporting} onClose={() => setIsImporting(false)} onImported={() => void reload()} />
      <ListTools label="Find by id, name, category or brand" search={query.search} onSearch={(text) => change({ search: text })}>
        <Choice
          label="Category"
          value={query.categoryQuery}
          options={[['', 'All'], ...categories]}
          onChange={(category) => change({ category })}
        />
        <Choice label="Show" value={query.show} options={SHOW_OPTIONS} onChange={(show) => change({ show })} />
      </ListTools>
      <p className="hint mb-4 print:hidden">
        Count everything on the shelf. Pieces that are set aside for orders are still there until they are sent. Sets are not in this list,
        since their parts are counted.
      </p>
      {errorText && <Alert>{errorText}</Alert>}
      {!list && !error && <Skeleton label="Loading the stock" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{list.total === 1 ? '1 product' : `${list.total} products`}</p>
          {list.total === 0 && <NothingFound />}
          {rows.length > 0 && <Table caption="Stock" columns={columnsOf(typedOf, changeTyped)} rows={rows} keyOf={({ key }) => key} />}
          {rows.length > 0 && (
            <Button className="justify-self-start print:hidden" pending={count.pending} disabled={!count.canEnter} onClick={send}>
              {count.filled > 0 ? `Enter this count (${count.filled})` : 'Enter this count'}
            </Button>
          )}
          {count.error && <Alert>{count.error}</Alert>}
          {count.done && <Alert tone="good">{count.done}</Alert>}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
    </AdminFrame>
  );
}
