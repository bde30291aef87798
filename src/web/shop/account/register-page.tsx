import { Link, Navigate, useSearchParams } from 'react-router';
import { useAppDispatch } from '#web/state/store.ts';
import { signUp } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { AccountForm, AccountFrame } from './account-frame.tsx';
import { PasswordField } from './password-field.tsx';
import { targetOf } from './redirect.ts';
import { useAccountForm } from './use-account-form.ts';

const EMPTY = { name: '', email: '', password: '', confirmPassword: '' };

/** Sign Up (specification §2 and §5). */
export function Component() {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const redirect = search.get('redirect');
  const { user, bind, submit } = useAccountForm(EMPTY, ({ name, email, password }) => void dispatch(signUp({ name, email, password })));
  if (user.userInfo) return <Navigate to={targetOf(redirect)} replace />;
  return (
    <AccountFrame title="Sign Up" legal>
      <AccountForm onSubmit={submit}>
        {user.error && <Alert>{user.errorMessage}</Alert>}
        <Field label="Name" autoComplete="name" required {...bind('name')} />
        <Field label="Email Address" type="email" autoComplete="email" required {...bind('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          required
          minLength={8}
          hint="At least 8 characters."
          {...bind('password')}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" required {...bind('confirmPassword')} />
        <Button type="submit" pending={user.pending}>
          Register
        </Button>
      </AccountForm>
      <p className="mt-5">
        Have an account?{' '}
        <Link to={`/login?redirect=${encodeURIComponent(targetOf(redirect).slice(1))}`} className="link">
          Sign in
        </Link>
      </p>
    </AccountFrame>
  );
}
