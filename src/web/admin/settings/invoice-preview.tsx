import { useContext } from 'react';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { titleOf, vatIn } from '#contract/invoices/vat.ts';
import { companyOf } from '#contract/settings/company-of.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import { Paper } from '#web/parts/invoices/invoice-view.tsx';
import { CompanyContext } from '#web/state/store.ts';

/** An invoice of one piece at the standard rate. */
function sampleOf({ name, shop, number, office, email, vatNumber }: ReturnType<typeof companyOf>, perCent: number): Invoice {
  const gross = 49_900;
  const vatRate = vatNumber ? Math.round(perCent * 100) : null;
  const vat = vatRate === null ? 0 : vatIn(gross, vatRate);
  const sums = { net: gross - vat, vat, gross };
  const today = new Date().toISOString();
  return {
    _id: 'sample',
    kind: 'invoice',
    number: 'INV-000042',
    issuedAt: today,
    vatRate,
    rates: vatRate === null ? [] : [{ rate: vatRate, ...sums }],
    ...sums,
    seller: { name: name || shop, number, office, email, vatNumber },
    buyer: { name: 'Casey Morgan', address: ['1 High Street', 'Leeds', 'LS1 4AP', 'United Kingdom'] },
    order: { reference: 'ABCD-1234', placedAt: today, paymentMethod: 'Credit Card' },
    lines: [{ name: 'Armchair', details: '', qty: 1, price: gross, ...sums }],
    reason: '',
    corrects: null,
  };
}

/** A new invoice with what is typed. */
export function InvoicePreview({ values }: { values: ShopSettings['company'] }) {
  const invoice = sampleOf(companyOf(useContext(CompanyContext), { company: values }), Number(values.vatRate) || 0);
  return (
    <>
      <p className="hint">A new invoice, for one piece as an example.</p>
      <div inert className="panel grid gap-4 overflow-hidden" style={{ zoom: 0.75 }}>
        <p className="font-display text-lg">
          {titleOf(invoice)} {invoice.number}
        </p>
        <Paper invoice={invoice} />
      </div>
    </>
  );
}
