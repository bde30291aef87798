import { Navigate, useLocation, useSearchParams } from 'react-router';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo, signUp } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { AccountFrame } from './account-frame.tsx';
import { CartNote } from './cart-note.tsx';
import { checkRepeated, NewPasswordFields } from './password-field.tsx';
import { targetAfterLogin, withRedirect } from './redirect.ts';
import { useAccountForm } from './use-account-form.ts';

const EMPTY = { name: '', email: '', password: '', confirmPassword: '' };

/** Sign Up (specification §2 and §5). */
export function Component() {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const redirect = search.get('redirect');
  const { state } = useLocation();
  const userInfo = useAppSelector(selectUserInfo);
  const form = useAccountForm(EMPTY, {
    schema: async () => (await import('#contract/accounts/users.schema.ts')).RegisterBody,
    check: checkRepeated,
    async send({ name, email, password }) {
      const result = await dispatch(signUp({ name, email, password }));
      return 'error' in result ? result.error : undefined;
    },
  });
  if (userInfo) return <Navigate to={targetAfterLogin(redirect, state)} replace />;
  return (
    <AccountFrame title="Sign Up" legal>
      <CartNote redirect={redirect} action="Create an account" />
      <Form form={form}>
        <Field label="Name" autoComplete="name" required {...form.bind('name')} />
        <Field label="Email Address" type="email" autoComplete="email" required {...form.bind('email')} />
        <NewPasswordFields bind={form.bind} required />
        <Button type="submit" pending={form.pending}>
          Register
        </Button>
      </Form>
      <p className="mt-5">
        Have an account?{' '}
        <Link to={withRedirect('/login', redirect)} state={state} className="link">
          Sign in
        </Link>
      </p>
    </AccountFrame>
  );
}
