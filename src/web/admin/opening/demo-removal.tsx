import { useState } from 'react';
import type { DemoLeft } from '#contract/opening/opening.schema.ts';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

const products = (count: number) => (count === 1 ? '1 product' : `${count} products`);

/** What would be removed and what would stay. */
function RemovalPlan({ goes, stays, accounts }: DemoLeft) {
  return (
    <div className="panel grid w-full gap-4">
      {goes.length > 0 && (
        <details>
          <summary className="cursor-pointer font-medium">{products(goes.length)} will be removed</summary>
          <p className="mt-2 text-soft">{goes.join(', ')}.</p>
        </details>
      )}
      {stays.length > 0 && (
        <div>
          <p className="font-medium">{products(stays.length)} will stay</p>
          <ul className="mt-2 grid gap-1 text-soft">
            {stays.map(({ name, why }) => (
              <li key={name}>
                {name}: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      <ul className="grid gap-2">
        {accounts.map(({ email, goes, why }) => (
          <li key={email}>
            <span className="font-medium">
              {email} will {goes ? 'be removed' : 'stay'}
            </span>
            <span className="block text-soft">{why}</span>
          </li>
        ))}
      </ul>
      <p className="hint">Pictures that nothing uses any more are removed the next night.</p>
    </div>
  );
}

/** Shows what is left of the demo, and removes what nobody has changed or used. */
export function DemoRemoval({ isDone, onRemoved }: { isDone: boolean; onRemoved: () => Promise<void> }) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const { prove, proofDialog } = useProof();
  const [plan, setPlan] = useState<DemoLeft>();
  const [isConfirming, setIsConfirming] = useState(false);
  const loadPlan = () => run('look', async () => setPlan(await dispatch(request('GET /api/opening/demo', {}))));
  const remove = () =>
    run('remove', async () => {
      try {
        await prove(() => dispatch(request('DELETE /api/opening/demo', {})));
      } finally {
        setIsConfirming(false);
        setPlan(undefined);
      }
      await onRemoved();
      return 'Removed.';
    });
  const removableCount = plan ? plan.goes.length + plan.accounts.filter(({ goes }) => goes).length : 0;
  return (
    <>
      {proofDialog}
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      {!isDone && !plan && (
        <Button look="secondary" pending={pending === 'look'} onClick={loadPlan}>
          See what would be removed
        </Button>
      )}
      {plan && <RemovalPlan {...plan} />}
      {removableCount > 0 && (
        <Button look="danger" onClick={() => setIsConfirming(true)}>
          Remove the demo
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        question="Remove the demo?"
        name={`${products(plan?.goes.length ?? 0)} and the accounts that are named go for good. Orders stay.`}
        action="Remove"
        pending={pending === 'remove'}
        onConfirm={remove}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
