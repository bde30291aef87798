import type { PickingList, Slips } from '#contract/delivery/dispatch.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { countText, ordersText } from '#web/admin/count-text.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Picture } from '#web/ui/picture.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { PrintFrame } from './print-frame.tsx';
import { PieceName, SlipPages, TickBox } from './slip.tsx';

interface CountsProps {
  shown: number;
  /** Orders with nothing to send now. */
  others: number;
  /** Orders beyond the limit of one print. */
  more: number;
}

/** How many orders are printed, and why some are not. */
function Counts({ shown, others, more }: CountsProps) {
  return (
    <p role="status" className="print:hidden">
      {ordersText(shown)}. {others > 0 && `${ordersText(others)} left out: nothing left to send, or waiting for payment or approval. `}
      {more > 0 && `${ordersText(more)} more do not fit on one print: these are the oldest. Dispatch them, and print again.`}
    </p>
  );
}

type Piece = PickingList['pieces'][number];

const ProductCell = ({ piece }: { piece: Piece }) => (
  <span className="flex items-center gap-3">
    <span className="block w-10 shrink-0">
      <Picture src={piece.image} alt="" sizes="2.5rem" className="rounded-soft" />
    </span>
    <span>
      <PieceName piece={piece} />
    </span>
  </span>
);

const OrdersCell = ({ orders }: Pick<Piece, 'orders'>) => (
  <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {orders.map(({ reference, qty, tags }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: an order may have the same piece on two lines, and they never move.
      <span key={index} className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <TickBox /> {qty} × {reference}
        {tags.length > 0 && ` (${tags.join(', ')})`}
      </span>
    ))}
  </span>
);

const COLUMNS: Column<Piece & { index: number }>[] = [
  { label: 'Picked', cell: () => <TickBox /> },
  { label: 'Quantity', cell: ({ qty }) => <span className="font-semibold tabular-nums">{qty}</span> },
  { label: 'Product', cell: (piece) => <ProductCell piece={piece} /> },
  { label: 'For', cell: ({ orders }) => <OrdersCell orders={orders} /> },
];

function PiecesToPick({ list }: { list: PickingList }) {
  const pieces = list.pieces.reduce((sum, { qty }) => sum + qty, 0);
  return (
    <div className="grid gap-4">
      <Counts shown={list.orders} others={list.others} more={list.more} />
      {list.pieces.length > 0 && (
        <Table
          caption="Pieces to pick"
          columns={COLUMNS}
          rows={list.pieces.map((piece, index) => ({ ...piece, index }))}
          keyOf={({ index }) => String(index)}
        />
      )}
      <p className="text-sm">
        {countText(pieces, 'piece')} for {ordersText(list.orders)}. Printed {shopTime(new Date().toISOString())}.
      </p>
    </div>
  );
}

function AllSlips({ list: { slips, others, more } }: { list: Slips }) {
  return (
    <>
      <Counts shown={slips.length} others={others} more={more} />
      <SlipPages slips={slips} />
    </>
  );
}

interface PrintViewProps {
  kind: string;
  query: Record<string, string>;
  back: string;
}

/** Replaces the order list: a picking list, or one packing slip a page. */
export function PrintView({ kind, query, back }: PrintViewProps) {
  return kind === 'slips' ? <SlipsView query={query} back={back} /> : <PickingView query={query} back={back} />;
}

function PickingView({ query, back }: Omit<PrintViewProps, 'kind'>) {
  const { value, error } = useLoaded('GET /api/office/picking-list', { query });
  return (
    <PrintFrame title="Picking list" back={back} error={error} isLoading={!value}>
      {value && <PiecesToPick list={value} />}
    </PrintFrame>
  );
}

function SlipsView({ query, back }: Omit<PrintViewProps, 'kind'>) {
  const { value, error } = useLoaded('GET /api/office/slips', { query });
  return (
    <PrintFrame title="Packing slips" back={back} error={error} isLoading={!value} isTitlePrinted={false}>
      {value && <AllSlips list={value} />}
    </PrintFrame>
  );
}
