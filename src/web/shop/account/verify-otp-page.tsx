import { Link, useNavigate } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { checkOtp } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { AccountForm, AccountFrame } from './account-frame.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The second screen of a password reset: checks the code (specification §2). */
export function Component() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { user, bind, submit } = useAccountForm({ email: passwordResetDraft.email, otp: '' }, (fields) => {
    Object.assign(passwordResetDraft, fields);
    void dispatch(checkOtp(fields)).then((result) => checkOtp.fulfilled.match(result) && navigate('/change-password'));
  });
  return (
    <AccountFrame title="Enter the code">
      {user.isOtp && <p className="mb-5 text-soft">If your address has an account, a code is on its way to it. It works for 10 minutes.</p>}
      <AccountForm onSubmit={submit}>
        {user.error && <Alert>{user.errorMessage}</Alert>}
        <Field label="Email" type="email" autoComplete="email" required {...bind('email')} />
        <Field
          label="Otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          hint="The 6 digits from our mail. Check your spam folder too."
          {...bind('otp')}
        />
        <Button type="submit" pending={user.pending}>
          Verify
        </Button>
      </AccountForm>
      <p className="mt-5">
        <Link to="/forget-password" className="link">
          Send a new code
        </Link>
      </p>
    </AccountFrame>
  );
}
