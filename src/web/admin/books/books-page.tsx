import { useContext, useEffect, useRef, useState } from 'react';
import { type BookDay, type BookFault, type TickKind, tickSum } from '#contract/books/books.ts';
import { dayPlus, shopDate, shopDay, shopTime } from '#contract/market/shop-time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { ordersText } from '#web/admin/count-text.ts';
import { DayChoice } from '#web/admin/list-tools.tsx';
import { OfficeContext } from '#web/admin/office/office-context.ts';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { agreementText, isStale } from './agreement.ts';
import { Entries } from './entries.tsx';

/** Amounts stay on one line, their column's head may wrap. */
const AMOUNT_CELL = 'tabular-nums whitespace-normal *:whitespace-nowrap';

/** How many days the page shows at first. */
const DAYS_AT_FIRST = 14;

function Faults({ faults }: { faults: readonly BookFault[] }) {
  return (
    <Panel title="What does not agree" className="gap-3">
      <ul className="grid gap-3">
        {faults.map(({ text, advice, path, foundAt }) => (
          <li key={text} className="border-l-2 border-clay pl-4">
            {path === '/admin/books' ? (
              <p className="font-medium wrap-anywhere">{text}</p>
            ) : (
              <Link to={path} className="link font-medium wrap-anywhere">
                {text}
              </Link>
            )}
            <p>{advice}</p>
            <p className="text-sm text-soft">Found {shopTime(foundAt)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const TICK_WORDS: Record<TickKind, { label: string; statement: string }> = {
  payouts: { label: 'At the bank', statement: 'The payout is at the bank' },
  cash: { label: 'In the cash box', statement: 'The cash is in the cash box' },
};

interface TickProps {
  book: BookDay;
  kind: TickKind;
  isBusy: boolean;
  onTick: (kind: TickKind, book: BookDay, isTicked: boolean) => void;
}

/** A sum and its tick, with a note if the sum has changed since it was ticked. */
function Tick({ book, kind, isBusy, onTick }: TickProps) {
  const { shopPrice } = useContext(MarketContext);
  const [sum, tick] = [tickSum(book, kind), book.ticks[kind]];
  const hasChanged = isStale(book, kind);
  const { label, statement } = TICK_WORDS[kind];
  return (
    <>
      <span className="block tabular-nums">{shopPrice(sum)}</span>
      {(sum !== 0 || tick) && (
        <label className="flex min-h-6 items-center gap-2 text-sm max-md:justify-end">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            aria-label={`${statement}: ${shopDate(book.day)}`}
            checked={tick !== null && !hasChanged}
            disabled={isBusy}
            onChange={({ target }) => onTick(kind, book, target.checked)}
          />
          {label}
        </label>
      )}
      {tick && hasChanged && (
        <span className="block whitespace-normal wrap-normal text-sm text-clay">
          You ticked {shopPrice(tick.amount)}. The sum has changed since.
        </span>
      )}
      {tick && !hasChanged && <span className="block whitespace-normal wrap-normal text-sm text-soft">{tick.actor}</span>}
    </>
  );
}

interface DaysTableProps {
  days: BookDay[];
  /** The day whose entries are shown, or an empty text. */
  shownDay: string;
  isBusy: boolean;
  onShow: (day: string) => void;
  onTick: TickProps['onTick'];
}

function DaysTable({ days, shownDay, isBusy, onShow, onTick }: DaysTableProps) {
  const { shopPrice } = useContext(MarketContext);
  const note = (text: string) => <span className="block whitespace-normal wrap-normal text-sm text-soft">{text}</span>;
  return (
    <Table
      caption="Books by day"
      columns={[
        {
          label: 'Day',
          cell: ({ day }) => (
            <button
              type="button"
              className="link inline-flex min-h-6 items-center"
              aria-expanded={shownDay === day}
              onClick={() => onShow(shownDay === day ? '' : day)}
            >
              {shopDate(day)}
            </button>
          ),
          className: AMOUNT_CELL,
        },
        {
          label: 'By card',
          cell: ({ card }) => (
            <>
              {shopPrice(card.taken)}
              {(card.orders > 0 || card.taken !== 0) && note(`Shop: ${ordersText(card.orders)}, ${shopPrice(card.due)}`)}
            </>
          ),
          className: AMOUNT_CELL,
        },
        {
          label: 'Refunded by card',
          cell: ({ card }) => (
            <>
              {shopPrice(card.refunded)}
              {card.disputed !== 0 && note(`${shopPrice(card.disputed)} disputed`)}
            </>
          ),
          className: AMOUNT_CELL,
        },
        {
          label: 'Fees',
          cell: ({ card }) => (
            <>
              {shopPrice(card.fees)}
              {card.other !== 0 && note(`${shopPrice(card.other)} other`)}
            </>
          ),
          className: AMOUNT_CELL,
        },
        { label: 'Paid out', cell: (book) => <Tick book={book} kind="payouts" isBusy={isBusy} onTick={onTick} />, className: AMOUNT_CELL },
        {
          label: 'Cash',
          cell: (book) => (
            <>
              <Tick book={book} kind="cash" isBusy={isBusy} onTick={onTick} />
              {book.cash.refunded !== 0 && note(`${shopPrice(book.cash.refunded)} paid back`)}
            </>
          ),
          className: AMOUNT_CELL,
        },
        {
          label: 'Driver’s day',
          cell: ({ driver }) =>
            driver.delivered === 0 ? (
              '–'
            ) : (
              <>
                {shopPrice(driver.taken)}
                {note(`of ${shopPrice(driver.due)}`)}
                {note(ordersText(driver.delivered))}
                {driver.open > 0 && (
                  <span className="block whitespace-normal wrap-normal text-sm font-medium text-clay">
                    {driver.open} without their cash
                  </span>
                )}
              </>
            ),
          className: AMOUNT_CELL,
        },
      ]}
      rows={days}
      keyOf={({ day }) => day}
    />
  );
}

/** The shop's money by day: payments, refunds, payouts and cash, and what does not agree (specification §23.8). */
export function Component() {
  const { search, change } = useListUrl();
  const dispatch = useAppDispatch();
  const { recount } = useContext(OfficeContext);
  const today = shopDay(new Date().toISOString());
  const period = { from: search.get('from') ?? dayPlus(today, 1 - DAYS_AT_FIRST), to: search.get('to') ?? today };
  const { value: books, error, reload } = useLoaded('GET /api/office/books', { query: period });
  const { run, pending, error: actionError, done } = useAction();
  const downloading = useAction();
  const [shownDay, setShownDay] = useState('');
  const entriesBox = useRef<HTMLDivElement>(null);
  // The entries of the chosen day are below the table, often out of sight.
  useEffect(() => {
    if (!shownDay) return;
    entriesBox.current?.scrollIntoView({ block: 'start' });
    entriesBox.current?.focus({ preventScroll: true });
  }, [shownDay]);
  const check = () =>
    run('check', async () => {
      await dispatch(request('POST /api/office/books/check', {}));
      await Promise.all([reload(), recount()]);
      // The line below says whether everything agrees, the ticked sums included.
      return 'Compared again.';
    });
  const tick: TickProps['onTick'] = (kind, book, isTicked) =>
    run('tick', async () => {
      try {
        await dispatch(request('PUT /api/office/books/ticks', { body: { day: book.day, kind, isTicked, amount: tickSum(book, kind) } }));
      } finally {
        await reload();
      }
    });
  const errorText = error || actionError || downloading.error;
  return (
    <AdminFrame
      title="Books"
      action={
        <>
          <DownloadButton
            label="Entries (CSV)"
            endpoint="GET /api/office/books/export"
            input={{ query: period }}
            filename={`books-${period.from}-${period.to}.csv`}
            action={downloading}
          />
          <Button pending={pending === 'check'} onClick={check}>
            Check now
          </Button>
        </>
      }
    >
      <div className="mb-5 flex flex-wrap items-end gap-3 print:hidden">
        <DayChoice label="From" value={period.from} onChange={(from) => change({ ...period, from })} />
        <DayChoice label="To" value={period.to} onChange={(to) => change({ ...period, to })} />
      </div>
      {errorText && <Alert>{errorText}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      {!books && !error && <Skeleton label="Loading the books" />}
      {books && (
        <div className="grid gap-6">
          <p role="status" className="text-soft">
            {books.checkedAt
              ? `Compared with the payment provider ${shopTime(books.checkedAt)}. ${agreementText(books)}`
              : 'Not compared with the payment provider yet. The shop does so each hour.'}
          </p>
          {books.faults.length > 0 && <Faults faults={books.faults} />}
          <DaysTable days={books.days} shownDay={shownDay} isBusy={pending !== ''} onShow={setShownDay} onTick={tick} />
          {shownDay && (
            <div ref={entriesBox} tabIndex={-1}>
              <Entries day={shownDay} key={books.checkedAt} />
            </div>
          )}
        </div>
      )}
    </AdminFrame>
  );
}
