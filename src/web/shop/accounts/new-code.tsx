import { useEffect, useReducer } from 'react';
import { Problem } from '#contract/platform/problem.ts';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { useAction } from '#web/state/use-action.ts';
import { sendOtp } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { OtherWay } from './account-frame.tsx';

/** Counts down to 0, and again once the time is another. */
function useSecondsUntil(time: number): number {
  const [, countDown] = useReducer((count: number) => count + 1, 0);
  const seconds = Math.max(0, Math.ceil((time - Date.now()) / 1000));
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(countDown, 1000);
    return () => clearTimeout(timer);
  });
  return seconds;
}

const waitText = (seconds: number) => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

/** Sends another code once the server allows one. Before the first, a link to ask for it. */
export function NewCode({ email }: { email: string }) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const seconds = useSecondsUntil(passwordResetDraft.nextCodeAt);
  if (passwordResetDraft.nextCodeAt === 0 || !email.trim()) return <OtherWay to="/forget-password">Send a new code</OtherWay>;
  const send = () =>
    run('code', async () => {
      const result = await dispatch(sendOtp({ email }));
      if ('error' in result) throw new Problem(result.error.status, result.error.message);
      passwordResetDraft.nextCodeAt = Date.now() + result.payload.nextCodeIn * 1000;
      return 'A new code is on its way. The earlier one no longer works.';
    });
  return (
    <div className="mt-5 grid justify-items-start gap-3">
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      <Button
        look="secondary"
        pending={pending !== ''}
        onClick={() => seconds === 0 && send()}
        {...(seconds > 0 && { 'aria-disabled': true, 'aria-describedby': 'next-code' })}
      >
        Send a new code
      </Button>
      {seconds > 0 && (
        <p id="next-code" className="hint">
          You can ask for a new code in {waitText(seconds)}.
        </p>
      )}
    </div>
  );
}
