import { useContext } from 'react';
import { Link } from 'react-router';
import { shopTime } from '#contract/market/shop-time.ts';
import type { FailedJob, Waiting } from '#contract/office/office.schema.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OfficeContext } from './office-context.ts';

function WaitingList({ waiting }: { waiting: readonly Waiting[] }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {waiting.map(({ id, label, count, most, path }) => (
        <li key={id}>
          <Link to={path} className="panel flex min-h-20 items-center justify-between gap-4 py-4 hover:border-edge">
            <span className="font-medium">{label}</span>
            <span className="font-display text-title tabular-nums">
              {count}
              {count === most && '+'}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function FailedJobs({ jobs, onRetried }: { jobs: readonly FailedJob[]; onRetried: () => Promise<void> }) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const retry = (id: string) =>
    run(id, async () => {
      const { message } = await dispatch(request('POST /api/office/failed-jobs/:id/retry', { params: { id } }));
      await onRetried();
      return message;
    });
  return (
    <section id="jobs" aria-labelledby="jobs-title" className="grid gap-3">
      <h2 id="jobs-title">Jobs failed</h2>
      <p className="text-soft">These were tried many times. Mend the cause, such as a mail server that refuses, then try again.</p>
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      <ul className="grid gap-3">
        {jobs.map(({ _id, name, reason, at }) => (
          <li key={_id} className="panel flex flex-wrap items-center justify-between gap-3 py-4">
            <span className="min-w-0">
              <span className="font-medium">{name}</span>, queued {shopTime(at)}
              {reason && <span className="block wrap-anywhere text-sm text-soft">{reason}</span>}
            </span>
            <Button look="secondary" pending={pending === _id} aria-label={`Try ${name} again`} onClick={() => retry(_id)}>
              Try again
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Work that waits for staff, with counts and links. */
export function Component() {
  const { today, error, recount } = useContext(OfficeContext);
  const waiting = today?.waiting.filter(({ count }) => count > 0) ?? [];
  const idle = today?.waiting.filter(({ count }) => count === 0) ?? [];
  return (
    <AdminFrame title="Today">
      {error && <Alert>{error}</Alert>}
      {!today && !error && <Skeleton label="Counting what waits" />}
      {today && (
        <div className="grid gap-8">
          {waiting.length > 0 ? <WaitingList waiting={waiting} /> : <p className="panel">Nothing waits for you.</p>}
          {today.failedJobs.length > 0 && <FailedJobs jobs={today.failedJobs} onRetried={recount} />}
          {waiting.length > 0 && idle.length > 0 && (
            <p className="text-soft">Nothing waits here: {idle.map(({ label }) => label.toLowerCase()).join(', ')}.</p>
          )}
        </div>
      )}
    </AdminFrame>
  );
}
