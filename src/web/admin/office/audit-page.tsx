import { shopTime } from '#contract/market/shop-time.ts';
import type { AuditEntry } from '#contract/office/audit.schema.ts';
import { AUDIT_KINDS, type AuditKind } from '#contract/office/audit.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, DayChoice, NothingFound } from '#web/admin/list-tools.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';

/** The URL of the screen that edits an entry's subject. */
const EDIT_URLS: Partial<Record<AuditKind, (id: string) => string>> = {
  order: (id) => `/admin/orderdetails/${id}`,
  product: (id) => `/admin/editproduct/${id}`,
  promotion: () => '/admin/promotions',
  user: (id) => `/admin/editUser/${id}`,
  login: (id) => `/admin/editUser/${id}`,
};

const KINDS = [['', 'Everything'], ...Object.entries(AUDIT_KINDS)] as const;

function Subject({ kind, subject }: AuditEntry) {
  const url = subject && EDIT_URLS[kind]?.(subject._id);
  return (
    <span className="grid">
      <span className="text-sm text-soft">{AUDIT_KINDS[kind]}</span>
      {url && (
        <Link to={url} className="link">
          {subject.name}
        </Link>
      )}
    </span>
  );
}

const columns = [
  { label: 'Time', cell: ({ at }: AuditEntry) => shopTime(at), className: 'whitespace-nowrap tabular-nums' },
  { label: 'Who', cell: ({ actor }: AuditEntry) => actor.name },
  { label: 'About', cell: (entry: AuditEntry) => <Subject {...entry} />, className: 'break-words' },
  { label: 'What was done', cell: ({ change }: AuditEntry) => <span className="break-words">{change}</span> },
  {
    label: 'Address',
    cell: ({ from }: AuditEntry) => <span className="text-sm break-all text-soft lg:inline-block lg:min-w-28">{from ?? '–'}</span>,
  },
];

/** The audit log: who did what in the back office, newest first (§13.6). */
export function Component() {
  const { search, hrefWith, change } = useListUrl();
  const downloading = useAction();
  const filters = {
    kind: (search.get('kind') ?? undefined) as AuditKind | undefined,
    actor: search.get('actor') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  };
  const before = search.get('before') ?? '';
  const { value: log, error } = useLoaded('GET /api/office/log', { query: { ...filters, before } });
  // A changed filter starts again at the newest entry.
  const changeFilters = (changes: Record<string, string>) => change({ ...changes, before: '' });
  const people = (log?.actors ?? []).map(({ _id, name }) => [_id, name] as const);
  const oldest = log?.entries.at(-1);
  return (
    <AdminFrame
      title="Log"
      action={
        <DownloadButton
          label="Export CSV"
          endpoint="GET /api/office/log/export"
          input={{ query: filters }}
          filename="log.csv"
          action={downloading}
        />
      }
    >
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <Choice label="About" value={filters.kind ?? ''} options={KINDS} onChange={(kind) => changeFilters({ kind })} />
        <Choice label="Who" value={filters.actor} options={[['', 'Everybody'], ...people]} onChange={(actor) => changeFilters({ actor })} />
        <DayChoice label="From" value={filters.from} onChange={(from) => changeFilters({ from })} />
        <DayChoice label="To" value={filters.to} onChange={(to) => changeFilters({ to })} />
      </div>
      {(error || downloading.error) && <Alert>{error || downloading.error}</Alert>}
      {!log && !error && <Skeleton label="Loading the log" />}
      {log && log.entries.length === 0 && <NothingFound />}
      {log && log.entries.length > 0 && (
        <Table caption="What was done in the back office" columns={columns} rows={log.entries} keyOf={({ _id }) => String(_id)} />
      )}
      <p className="mt-6 flex flex-wrap gap-6">
        {before && (
          <Link to={hrefWith({ before: '' })} className="link">
            Newest entries
          </Link>
        )}
        {log?.isMore && oldest && (
          <Link to={hrefWith({ before: String(oldest._id) })} className="link">
            Older entries
          </Link>
        )}
      </p>
    </AdminFrame>
  );
}
