import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { passwordResetRestarted, selectUser, sendOtp } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { AccountFrame, OtherWay } from './account-frame.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The first screen of a password reset: asks for a code by mail (specification §2). */
export function Component() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { isOtp } = useAppSelector(selectUser);
  const form = useAccountForm(
    { email: passwordResetDraft.email },
    {
      schema: async () => (await import('#contract/accounts/users.schema.ts')).ForgotPasswordBody,
      async send({ email }) {
        passwordResetDraft.email = email;
        dispatch(passwordResetRestarted());
        const result = await dispatch(sendOtp({ email }));
        if ('error' in result) return result.error;
        passwordResetDraft.nextCodeAt = Date.now() + result.payload.nextCodeIn * 1000;
        await navigate('/verify-otp');
        return undefined;
      },
    },
  );
  useEffect(() => {
    dispatch(passwordResetRestarted());
  }, [dispatch]);
  return (
    <AccountFrame title="Forgot your password?">
      <p className="mb-5 text-soft">
        Enter your email address. If it has an account, we will email you a 6-digit code. It works for 10 minutes.
      </p>
      <Form form={form}>
        {isOtp && <Alert tone="good">If this address has an account, a code is on its way.</Alert>}
        <Field label="Email" type="email" autoComplete="email" required {...form.bind('email')} />
        <Button type="submit" pending={form.pending}>
          Send Otp
        </Button>
      </Form>
      <OtherWay to="/login">Back to log in</OtherWay>
    </AccountFrame>
  );
}
