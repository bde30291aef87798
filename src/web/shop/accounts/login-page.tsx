import { useEffect, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { logIn, selectUser } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { AccountFrame } from './account-frame.tsx';
import { CartNote } from './cart-note.tsx';
import { PasswordField } from './password-field.tsx';
import { targetAfterLogin, withRedirect } from './redirect.ts';
import { useAccountForm } from './use-account-form.ts';

/** Log in (specification §2); a logged-in visitor is taken to /{redirect}. */
export function Component() {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const redirect = search.get('redirect');
  const { state } = useLocation();
  const { userInfo, notice, isPasswordChanged, error } = useAppSelector(selectUser);
  /** The password was right, and the account has a second factor. */
  const [asksCode, setAsksCode] = useState(false);
  useEffect(() => {
    if (asksCode) document.getElementById('code')?.focus();
  }, [asksCode]);
  const form = useAccountForm(
    { email: passwordResetDraft.email, password: '', code: '' },
    {
      schema: async () => (await import('#contract/accounts/users.schema.ts')).LoginBody,
      check: ({ code }) => ({ code: asksCode && !code.trim() && 'The code is required' }),
      async send(fields) {
        const result = await dispatch(logIn(fields));
        if (!('error' in result)) return undefined;
        // The first error at the field `code` only asks for a code: its field is not shown yet.
        const onlyAsksForCode = !asksCode && result.error.errors?.code !== undefined;
        if (!onlyAsksForCode) return result.error;
        setAsksCode(true);
        return undefined;
      },
    },
  );
  if (userInfo) return <Navigate to={targetAfterLogin(redirect, state)} replace />;
  return (
    <AccountFrame title="Log In" legal>
      <CartNote redirect={redirect} action="Log in" />
      <Form form={form} notice={notice}>
        {isPasswordChanged && !error && <Alert tone="good">Your password is changed. Please log in.</Alert>}
        <Field label="Email" type="email" autoComplete="username" required {...form.bind('email')} />
        <PasswordField label="Password" autoComplete="current-password" required {...form.bind('password')} />
        {asksCode && (
          <Field
            label="Code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            hint="Enter the 6-digit code from your authenticator app, or one of your recovery codes."
            {...form.bind('code')}
          />
        )}
        <Button type="submit" pending={form.pending}>
          Log In
        </Button>
      </Form>
      <ButtonLink look="secondary" className="mt-3 w-full" to={withRedirect('/register', redirect)} state={state}>
        Create an account
      </ButtonLink>
      <p className="mt-4 text-center">
        <Link
          to="/forget-password"
          className="link inline-block py-1"
          onClick={() => {
            passwordResetDraft.email = form.fields.email;
          }}
        >
          Forgot your password?
        </Link>
      </p>
    </AccountFrame>
  );
}
