import { useState } from 'react';
import type { SaleRow } from '#contract/catalogue/sale.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Link } from '#web/ui/link.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { PromotionList } from './promotion-list.tsx';
import { SaleForm } from './sale-form.tsx';

const columns = (onEnd: (row: SaleRow) => void) => [
  {
    label: 'Piece',
    cell: ({ _id, name }: SaleRow) => (
      <Link to={`/admin/editproduct/${_id}`} className="link">
        {name}
      </Link>
    ),
  },
  {
    label: 'Price',
    cell: ({ price, salePrice, wasPrice, isOn }: SaleRow) => (
      <>
        {pounds(salePrice)} instead of {pounds(price)}
        {isOn && <span className="hint block">{wasPrice === null ? 'Shown without a “was” price' : `Shown: was ${pounds(wasPrice)}`}</span>}
      </>
    ),
  },
  {
    label: 'When',
    cell: ({ saleFrom, saleTo, isOn }: SaleRow) => (
      <>
        {isOn ? 'On now' : `From ${saleFrom ? shopTime(saleFrom) : 'now'}`}
        {saleTo && <span className="hint block">until {shopTime(saleTo)}</span>}
      </>
    ),
  },
  {
    label: 'End',
    cell: (row: SaleRow) => (
      <button type="button" className="link text-bad" aria-label={`End the sale of ${row.name}`} onClick={() => onEnd(row)}>
        End now
      </button>
    ),
  },
];

function totalText(total: number): string {
  if (total === 0) return 'Nothing is on sale. Pieces with a current or coming sale will be listed here, and you can end their sale.';
  return total === 1 ? '1 piece has a current or coming sale.' : `${total} pieces have a current or coming sale.`;
}

/** Sales, discount codes and automatic promotions. */
export function Component() {
  const dispatch = useAppDispatch();
  const { page, hrefOf } = useListUrl();
  const [version, setVersion] = useState(0);
  const { value: list, error } = useLoaded('GET /api/office/sale-prices', { query: { pageNumber: page } }, version);
  const [toEnd, setToEnd] = useState<SaleRow>();
  const action = useAction();
  useLastPage(page, list, hrefOf);
  const reload = () => setVersion((before) => before + 1);
  const endSale = ({ _id, name }: SaleRow) =>
    action.run(_id, async () => {
      try {
        await dispatch(request('POST /api/office/sale-prices/end', { body: { goods: { categories: [], brands: [], products: [_id] } } }));
        reload();
        return `The sale of ${name} has ended.`;
      } finally {
        setToEnd(undefined);
      }
    });
  return (
    <AdminFrame title="Promotions" changes="change products">
      <div className="grid gap-8">
        <SaleForm onStarted={reload} />
        <section aria-labelledby="sales" className="grid gap-4">
          <h2 id="sales">Pieces on sale</h2>
          {error && <Alert>{error}</Alert>}
          {action.error && <Alert>{action.error}</Alert>}
          {action.done && <Alert tone="good">{action.done}</Alert>}
          {!list && !error && <Skeleton label="Loading the sales" />}
          {list && (
            <>
              <p role="status">{totalText(list.total)}</p>
              {list.total > 0 && <Table caption="Pieces on sale" columns={columns(setToEnd)} rows={list.rows} keyOf={({ _id }) => _id} />}
              {list.total > 0 && <Pagination page={page} pages={list.pages} href={hrefOf} />}
            </>
          )}
        </section>
        <PromotionList />
        <ConfirmDialog
          open={toEnd !== undefined}
          question="End this sale now?"
          name={
            toEnd
              ? `${toEnd.name} costs ${pounds(toEnd.price)}${toEnd.isOn ? ' again' : ''}. To put it on sale after all, start a new sale.`
              : ''
          }
          action="End the sale"
          pending={action.pending !== ''}
          onConfirm={() => toEnd && endSale(toEnd)}
          onCancel={() => setToEnd(undefined)}
        />
      </div>
    </AdminFrame>
  );
}
