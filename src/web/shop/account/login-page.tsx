import { Link, Navigate, useSearchParams } from 'react-router';
import { useAppDispatch } from '#web/state/store.ts';
import { logIn } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { AccountForm, AccountFrame } from './account-frame.tsx';
import { PasswordField } from './password-field.tsx';
import { targetOf } from './redirect.ts';
import { useAccountForm } from './use-account-form.ts';

/** Log in (specification §2); a visitor who is logged in already is sent on to /{redirect}. */
export function Component() {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const redirect = search.get('redirect');
  const { user, bind, submit } = useAccountForm({ email: '', password: '' }, (fields) => void dispatch(logIn(fields)));
  if (user.userInfo) return <Navigate to={targetOf(redirect)} replace />;
  return (
    <AccountFrame title="Log In" legal>
      <AccountForm onSubmit={submit}>
        {(user.error || user.notice) && <Alert>{user.error ? user.errorMessage : user.notice}</Alert>}
        {user.isPasswordChanged && !user.error && <Alert tone="good">Your password is changed. Please log in.</Alert>}
        <Field label="Email" type="email" autoComplete="username" required {...bind('email')} />
        <PasswordField label="Password" autoComplete="current-password" required {...bind('password')} />
        <Button type="submit" pending={user.pending}>
          Log In
        </Button>
      </AccountForm>
      <ul className="mt-5 flex flex-wrap justify-between gap-3">
        <li>
          <Link to="/forget-password" className="link">
            Forgot your password?
          </Link>
        </li>
        <li>
          <Link to={`/register?redirect=${encodeURIComponent(targetOf(redirect).slice(1))}`} className="link">
            Create an account
          </Link>
        </li>
      </ul>
    </AccountFrame>
  );
}
