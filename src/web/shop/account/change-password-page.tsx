import { Link, useNavigate } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { changePassword, loggedOut, logOut, selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { AccountForm, AccountFrame } from './account-frame.tsx';
import { PasswordField } from './password-field.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The last screen of a password reset: sets the new password (specification §2). */
export function Component() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const session = useAppSelector(selectUserInfo);
  const initial = { ...passwordResetDraft, password: '', confirmPassword: '' };
  const { user, bind, submit } = useAccountForm(initial, async ({ email, otp, password }) => {
    const result = await dispatch(changePassword({ email, otp, newPassword: password }));
    if (!changePassword.fulfilled.match(result)) return;
    Object.assign(passwordResetDraft, { email: '', otp: '' });
    // The reset has ended every session of its account. Whoever is logged in as somebody else is logged out, too: the login comes next.
    if (session) dispatch(session.email.toLowerCase() === email.trim().toLowerCase() ? loggedOut() : logOut());
    await navigate('/login');
  });
  return (
    <AccountFrame title="Choose a new password">
      <AccountForm onSubmit={submit}>
        {user.error && <Alert>{user.errorMessage}</Alert>}
        <Field label="Email" type="email" autoComplete="username" required {...bind('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          required
          minLength={8}
          hint="At least 8 characters."
          {...bind('password')}
          error={user.fieldErrors.newPassword}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" required {...bind('confirmPassword')} />
        <Field label="Otp" inputMode="numeric" autoComplete="one-time-code" maxLength={6} required {...bind('otp')} />
        <Button type="submit" pending={user.pending}>
          Change Password
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
