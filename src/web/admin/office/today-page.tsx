import { useContext } from 'react';
import { shopTime } from '#contract/market/shop-time.ts';
import type { FailedJob, Waiting } from '#contract/office/office.schema.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OfficeContext, useMay } from './office-context.ts';

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

interface FailedJobsProps {
  jobs: readonly FailedJob[];
  /** The page owns it, so that its message stays after the last job is gone. */
  action: ReturnType<typeof useAction>;
  onRetried: () => Promise<void>;
}

function FailedJobs({ jobs, action: { run, pending, error, done }, onRetried }: FailedJobsProps) {
  const dispatch = useAppDispatch();
  const retry = (id: string) =>
    run(id, async () => {
      const { message } = await dispatch(request('POST /api/office/failed-jobs/:id/retry', { params: { id } }));
      await onRetried();
      return message;
    });
  return (
    <section id="jobs" aria-labelledby="jobs-title" className="grid gap-3">
      <h2 id="jobs-title">Failed jobs</h2>
      {jobs.length > 0 && (
        <p className="text-soft">
          We tried each of these many times. Fix the cause (for example, a mail server that rejects mail), then try again.
        </p>
      )}
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      <ul className="grid gap-3">
        {jobs.map(({ _id, name, reason, at }) => (
          <li key={_id} className="panel flex flex-wrap items-center justify-between gap-3 py-4">
            <span className="min-w-0">
              <span className="font-medium">{name}</span>, queued {shopTime(at)}
              {reason && <span className="block wrap-anywhere text-sm text-soft">{reason}</span>}
            </span>
            <Button look="secondary" pending={pending === _id} aria-label={`Try again: ${name}`} onClick={() => retry(_id)}>
              Try again
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links to the steps that are left before the shop opens. */
function BeforeOpening() {
  const { value } = useLoaded('GET /api/opening', {});
  const left = value?.steps.filter(({ isDone }) => !isDone).length ?? 0;
  if (left === 0) return null;
  return (
    <p className="panel">
      {left} {left === 1 ? 'step is' : 'steps are'} left on the list{' '}
      <Link to="/admin/settings" className="link">
        Before you open
      </Link>
      .
    </p>
  );
}

/** Work that waits for staff, with counts and links. */
export function Component() {
  const { today, error, recount } = useContext(OfficeContext);
  const retries = useAction();
  const mayOpen = useMay('change settings');
  const waiting = today?.waiting.filter(({ count }) => count > 0) ?? [];
  const idle = today?.waiting.filter(({ count }) => count === 0) ?? [];
  return (
    <AdminFrame title="Today">
      {error && <Alert>{error}</Alert>}
      {!today && !error && <Skeleton label="Counting what waits" />}
      {today && (
        <div className="grid gap-8">
          {mayOpen && <BeforeOpening />}
          {waiting.length > 0 ? <WaitingList waiting={waiting} /> : <p className="panel">You’re all caught up.</p>}
          {(today.failedJobs.length > 0 || retries.done || retries.error) && (
            <FailedJobs jobs={today.failedJobs} action={retries} onRetried={recount} />
          )}
          {waiting.length > 0 && idle.length > 0 && (
            <details className="text-soft">
              <summary className="min-h-6 w-fit cursor-pointer">All clear elsewhere</summary>
              <ul className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2 xl:grid-cols-3">
                {idle.map(({ id, label }) => (
                  <li key={id}>{label}</li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </AdminFrame>
  );
}
