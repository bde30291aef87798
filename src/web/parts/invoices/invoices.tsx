import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { INVOICE_FOLLOWS, sumsOf } from '#contract/invoices/invoice-text.ts';
import type { InvoiceSummary } from '#contract/invoices/invoices.ts';
import { titleOf } from '#contract/invoices/vat.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { STATES } from '#contract/orders/states.ts';
import { Panel } from '#web/parts/panel.tsx';
import { Link } from '#web/ui/link.tsx';

/** The URL parameter that shows an invoice of the order. */
export const INVOICE_PARAMETER = 'invoice';

interface FiguresProps {
  invoice: Pick<InvoiceSummary, 'rates' | 'net' | 'gross'>;
  className: string;
}

/** The sums of an invoice. */
export function Figures({ invoice, className }: FiguresProps) {
  return (
    <dl className={`grid gap-x-4 ${className}`}>
      {sumsOf(invoice).map(([label, pence]) => (
        <div key={label} className="contents last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right">{pounds(pence)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface InvoicesProps {
  order: Pick<Order, 'invoices' | 'status'>;
  /** Why an order from before invoices has none (decision 37). */
  whyNone: ReactNode;
}

/** An order's invoice and credit notes, or its pro forma. Ended orders without any were never sold. */
export function Invoices({ order, whyNone }: InvoicesProps) {
  const { pathname } = useLocation();
  if (order.invoices.length === 0) {
    if (STATES[order.status].phase === 'ended') return null;
    return (
      <Panel title="Invoice" className="gap-4 print:hidden">
        <p>{whyNone}</p>
      </Panel>
    );
  }
  return (
    <Panel title="Invoice" className="gap-4 print:hidden">
      <ul className="grid gap-4">
        {order.invoices.map((invoice) => (
          <li key={invoice._id} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-4">
              <Link to={`${pathname}?${INVOICE_PARAMETER}=${invoice._id}`} className="link">
                {titleOf(invoice)} {invoice.number}
              </Link>
              <time dateTime={invoice.issuedAt} className="text-soft">
                {shopDate(invoice.issuedAt)}
              </time>
            </p>
            <Figures invoice={invoice} className="grid-cols-[1fr_auto] text-sm" />
          </li>
        ))}
      </ul>
      {order.invoices[0]?.kind === 'pro_forma' && <p className="text-sm text-soft">{INVOICE_FOLLOWS}</p>}
      {order.invoices[0]?.vatRate === null && <p className="text-sm text-soft">No VAT is charged.</p>}
    </Panel>
  );
}
