import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { ImportDialog, type ImportProps, RowErrors } from '#web/admin/import-form.tsx';
import { formOf } from '#web/browser/form-of.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Table } from '#web/ui/table.tsx';

const PARTLY_DONE = 'Part of the file may have been imported. Choose it again to import the rest: nothing is imported twice.';
const INTRO =
  'A CSV like that of the export, from Excel or another spreadsheet, with a row for each product and rows for its sizes below it; or an export from Shopify or WooCommerce. A row with an ID changes that product, a row without one is a new product; columns and rows that are left out stay as they are. Leave the column _exported as it is: with it, what was sold or changed in the shop since the export stays. The file is checked first.';

const leftOutText = (count: number) => (count === 1 ? 'One product is left out' : `${count} products are left out`);

/** Only errors of the headings are in row 1 and have a column. */
const isOfHeading = ({ row, column }: ImportReport['errors'][number]) => row === 1 && column !== '';

/** The result of the check or of the import. */
export function Verdict({ report: { isDone, isBroken, added, changed, unchanged, leftOut, errors } }: { report: ImportReport }) {
  const counts = `${added} new, ${changed} changed, ${unchanged} unchanged`;
  if (isBroken && errors.some(isOfHeading))
    return <Alert>We do not recognise all columns of the file. Rename or delete those below, then choose it again.</Alert>;
  if (isBroken) return <Alert>The file cannot be read to the end. Correct it, then choose it again.</Alert>;
  if (isDone)
    return (
      <>
        <Alert tone="good">Imported: {counts}.</Alert>
        {leftOut > 0 && <Alert>{leftOutText(leftOut)}. Choose the file again to see what is left to import.</Alert>}
      </>
    );
  return (
    <>
      {leftOut > 0 && (
        <Alert>
          {leftOutText(leftOut)}: correct {leftOut === 1 ? 'it' : 'them'} and choose the file again, or import the others.
        </Alert>
      )}
      <Alert tone="note">This import would make: {counts}. Nothing has been changed yet.</Alert>
    </>
  );
}

function Report({ report }: { report: ImportReport }) {
  const { isDone, changes, errors } = report;
  return (
    <div className="grid gap-4">
      <Verdict report={report} />
      {errors.length > 0 && <RowErrors errors={errors} />}
      {!isDone && changes.length > 0 && (
        <Table
          caption="Changes"
          columns={[
            { label: 'Row', cell: ({ row }) => row },
            { label: 'Product', cell: ({ name }) => name },
            { label: 'Change', cell: ({ change }) => change },
          ]}
          rows={changes}
          keyOf={({ row }) => String(row)}
        />
      )}
    </div>
  );
}

/** Imports a CSV of products: shows changes and errors before it writes. */
export const ProductImport = (props: ImportProps) => (
  <ImportDialog
    {...props}
    title="Import products"
    intro={INTRO}
    halfwayText={PARTLY_DONE}
    send={(form) => request('POST /api/products/import', { body: formOf(form) })}
    action={(report) => (report && report.leftOut > 0 ? 'Import the others' : 'Import')}
    canCarryOut={({ isBroken, added, changed }) => !isBroken && added + changed > 0}
  >
    {(report) => <Report report={report} />}
  </ImportDialog>
);
