import { useState } from 'react';
import { quarterOf } from '#contract/invoices/quarters.ts';
import { Choice } from '#web/admin/list-tools.tsx';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';

/** This quarter and those of the two years before. */
const QUARTERS = 9;

export function VatExport() {
  const now = new Date().toISOString();
  const quarters = Array.from({ length: QUARTERS }, (_, back) => quarterOf(now, back));
  const [quarter, setQuarter] = useState(quarters[0] ?? '');
  const download = useAction();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Quarter" value={quarter} options={quarters.map((one) => [one, one.replace('-', ' ')])} onChange={setQuarter} />
        <DownloadButton
          label="Export VAT and sales"
          endpoint="GET /api/office/vat"
          input={{ query: { quarter } }}
          filename={`vat-${quarter}.csv`}
          action={download}
        />
      </div>
      {download.error && <Alert>{download.error}</Alert>}
    </div>
  );
}
