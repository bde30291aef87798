import { useNavigate } from 'react-router';
import { passwordResetDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { checkOtp, selectUser } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { NewCode } from './new-code.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The second screen of a password reset: checks the code (specification §2). */
export function Component() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { isOtp } = useAppSelector(selectUser);
  const form = useAccountForm(
    { email: passwordResetDraft.email, otp: '' },
    {
      schema: async () => (await import('#contract/accounts/users.schema.ts')).VerifyOtpBody,
      async send(fields) {
        Object.assign(passwordResetDraft, fields);
        const result = await dispatch(checkOtp(fields));
        if ('error' in result) return result.error;
        await navigate('/change-password');
        return undefined;
      },
    },
  );
  return (
    <AccountFrame title="Enter the code">
      {isOtp && <p className="mb-5 text-soft">If your address has an account, a code is on its way. It works for 10 minutes.</p>}
      <Form form={form}>
        <Field label="Email" type="email" autoComplete="email" required {...form.bind('email')} />
        <Field
          label="Otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          hint="The 6 digits from our email. Check your spam folder too."
          {...form.bind('otp')}
        />
        <Button type="submit" pending={form.pending}>
          Verify
        </Button>
      </Form>
      <NewCode email={form.fields.email} />
    </AccountFrame>
  );
}
