import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { changePassword, loggedOut, logOut, selectUserInfo } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { AccountFrame, OtherWay } from './account-frame.tsx';
import { checkRepeated, NewPasswordFields } from './password-field.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The last screen of a password reset: sets the new password (specification §2). */
export function Component() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const session = useAppSelector(selectUserInfo);
  const send = async (body: { email: string; otp: string; newPassword: string }) => {
    const { email } = body;
    const result = await dispatch(changePassword(body));
    if ('error' in result) return result.error;
    Object.assign(passwordResetDraft, { email, otp: '', nextCodeAt: 0 });
    // The reset has ended all sessions of its account. Any other account is logged out too, since the login follows.
    if (session) dispatch(session.email.toLowerCase() === email.trim().toLowerCase() ? loggedOut() : logOut());
    await navigate('/login');
    return undefined;
  };
  const { email, otp } = passwordResetDraft;
  const form = useAccountForm(
    { email, password: '', confirmPassword: '', otp },
    {
      schema: async () => (await import('#contract/accounts/users.schema.ts')).ResetPasswordBody,
      body: ({ email, otp, password }) => ({ email, otp, newPassword: password }),
      names: { newPassword: 'password' },
      check: checkRepeated,
      send,
    },
  );
  // The mail's link fills both in. The server does not see the fragment, so hydration must start without it.
  const { hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link.
  useEffect(() => {
    const link = new URLSearchParams(hash.slice(1));
    if (link.has('otp')) form.change({ email: link.get('email') ?? '', otp: link.get('otp') ?? '' });
  }, [hash]);
  return (
    <AccountFrame title="Choose a new password">
      <Form form={form}>
        <Field label="Email" type="email" autoComplete="username" required {...form.bind('email')} />
        <NewPasswordFields bind={form.bind} required />
        <Field
          label="Otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          hint={form.fields.otp.length > 20 && 'Filled in by the link in our email.'}
          {...form.bind('otp')}
        />
        <Button type="submit" pending={form.pending}>
          Change Password
        </Button>
      </Form>
      <OtherWay to="/forget-password">Send a new code</OtherWay>
    </AccountFrame>
  );
}
