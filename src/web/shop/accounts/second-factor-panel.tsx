import { useRef, useState } from 'react';
import type { SecondFactor, SetUp } from '#contract/accounts/second-factor.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmForm } from './confirm-form.tsx';

function FactorText({ factor: { isOn, since, recoveryCodes, isRequired } }: { factor: SecondFactor }) {
  if (!isOn)
    return (
      <p className="text-soft">
        {isRequired && 'This shop requires two-step login for every administrator. '}
        When you log in, we also ask for a code from an authenticator app on your phone, so your password alone is not enough.
      </p>
    );
  const codes = recoveryCodes === 1 ? '1 recovery code is' : `${recoveryCodes} recovery codes are`;
  return (
    <p className="text-soft">
      On since {shopDate(since ?? '')}. {codes} left. Set it up again for a new phone, or for new recovery codes.
    </p>
  );
}

function Codes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="grid gap-3">
      <Alert tone="good">Two-step login is set up. Other devices are logged out.</Alert>
      <p>
        Keep these recovery codes somewhere only you can find them. We show them only once. Each works once, instead of a code from your
        app.
      </p>
      <ul className="grid gap-1 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button look="secondary" onClick={onDone}>
        I have saved them
      </Button>
    </div>
  );
}

export function SecondFactorPanel() {
  const dispatch = useAppDispatch();
  const { value: factor, error: failure, reload } = useLoaded('GET /api/users/second-factor', {});
  const { run, pending, error, done } = useAction();
  const { prove, proofDialog } = useProof();
  const [setUp, setSetUp] = useState<SetUp>();
  const [codes, setCodes] = useState<string[]>();
  const box = useRef<HTMLDivElement>(null);
  const begin = () =>
    run('begin', async () => {
      setSetUp(await prove(() => dispatch(request('POST /api/users/second-factor', {}))));
    });
  const remove = () =>
    run('remove', async () => {
      const { message } = await prove(() => dispatch(request('DELETE /api/users/second-factor', {})));
      await reload();
      return message;
    });
  const showCodes = (recoveryCodes: string[]) => {
    setSetUp(undefined);
    setCodes(recoveryCodes);
    // The focused form disappears.
    box.current?.focus();
    void reload();
  };
  return (
    <div ref={box} tabIndex={-1} className="mt-8">
      <Panel title="Two-step login" className="gap-4">
        {(error || failure) && <Alert>{error || failure}</Alert>}
        {done && <Alert tone="good">{done}</Alert>}
        {factor && !setUp && !codes && <FactorText factor={factor} />}
        {setUp && <ConfirmForm setUp={setUp} onConfirmed={showCodes} onClose={() => setSetUp(undefined)} />}
        {codes && <Codes codes={codes} onDone={() => setCodes(undefined)} />}
        {factor && !setUp && !codes && (
          <p className="flex flex-wrap gap-3">
            <Button look="secondary" pending={pending === 'begin'} onClick={begin}>
              {factor.isOn ? 'Set up again' : 'Set up'}
            </Button>
            {factor.isOn && !factor.isRequired && (
              <Button look="danger" pending={pending === 'remove'} onClick={remove}>
                Switch off
              </Button>
            )}
          </p>
        )}
        {proofDialog}
      </Panel>
    </div>
  );
}
