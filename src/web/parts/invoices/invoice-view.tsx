import { useLocation } from 'react-router';
import { buyerLines, factsOf, noteOf } from '#contract/invoices/invoice-text.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { titleOf } from '#contract/invoices/vat.ts';
import { pounds } from '#contract/market/money.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { Figures } from './invoices.tsx';

type Line = Invoice['lines'][number];

const FIGURE = 'whitespace-nowrap text-right!';

/** Net and VAT only for a VAT-registered seller. */
const columnsOf = ({ vatRate }: Invoice): Column<Line>[] => [
  {
    label: 'Description',
    cell: ({ name, details }) => (
      <>
        {name}
        {details && <span className="block text-sm text-soft">{details}</span>}
      </>
    ),
  },
  { label: 'Qty', cell: ({ qty }) => qty, className: FIGURE },
  { label: 'Price', cell: ({ price }) => pounds(price), className: FIGURE },
  ...(vatRate === null
    ? []
    : [
        { label: 'Net', cell: ({ net }: Line) => pounds(net), className: FIGURE },
        { label: 'VAT', cell: ({ vat }: Line) => pounds(vat), className: FIGURE },
      ]),
  { label: 'Amount', cell: ({ gross }) => pounds(gross), className: FIGURE },
];

function Block({ title, lines }: { title: string; lines: string[] }) {
  return (
    <section>
      <h2 className="text-base">{title}</h2>
      {lines.filter(Boolean).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines of an address may be the same.
        <p key={index} className="wrap-anywhere">
          {line}
        </p>
      ))}
    </section>
  );
}

/** An invoice or credit note as printed, in the pounds charged (clarification 11). */
export function Paper({ invoice }: { invoice: Invoice }) {
  const { seller, vatRate } = invoice;
  const registered = [`Company number ${seller.number}`, vatRate === null ? '' : `VAT number ${seller.vatNumber}`];
  return (
    <div className="grid gap-6">
      <dl className="grid w-fit grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {factsOf(invoice).map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Block title="From" lines={[seller.name, seller.office, ...registered, seller.email]} />
        <Block title="To" lines={buyerLines(invoice)} />
      </div>
      <Table
        caption={`Lines of ${invoice.number}`}
        columns={columnsOf(invoice)}
        rows={invoice.lines}
        keyOf={(line) => String(invoice.lines.indexOf(line))}
      />
      <Figures invoice={invoice} className="ml-auto w-fit grid-cols-[auto_auto] gap-y-1 px-3" />
      <p className="text-sm text-soft">{noteOf(invoice)}</p>
    </div>
  );
}

/** An invoice or credit note in place of its order, with print and PDF. */
export function InvoiceView({ id }: { id: string }) {
  const { pathname } = useLocation();
  const { value: invoice, error } = useLoaded('GET /api/invoices/:id', { params: { id } });
  const download = useAction();
  const title = invoice ? `${titleOf(invoice)} ${invoice.number}` : 'Invoice';
  const failure = error || download.error;
  return (
    <main id="main" className="container-page py-8">
      <Meta title={title} noindex />
      <p className="mb-3 print:hidden">
        <Link to={pathname} className="link">
          Back to the order
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 break-words">{title}</h1>
        {invoice && (
          <div className="flex flex-wrap gap-3 print:hidden">
            <Button look="secondary" onClick={() => window.print()}>
              Print
            </Button>
            <DownloadButton
              label="Download PDF"
              endpoint="GET /api/invoices/:id/pdf"
              input={{ params: { id } }}
              filename={`${invoice.number}.pdf`}
              action={download}
            />
          </div>
        )}
      </div>
      {failure && <Alert>{failure}</Alert>}
      {!invoice && !error && <Skeleton label="Loading the invoice" />}
      {invoice && <Paper invoice={invoice} />}
    </main>
  );
}
