import type { Session } from '#contract/users.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { LOGIN_AGAIN, saveProfile, selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { toast } from '#web/ui/toast.ts';
import { AccountForm, AccountFrame } from './account-frame.tsx';
import { PasswordField } from './password-field.tsx';
import { useAccountForm } from './use-account-form.ts';

const NO_PASSWORDS = { password: '', confirmPassword: '', currentPassword: '' };

/** The login guard renders this page only for a user. */
export function Component() {
  const user = useAppSelector(selectUserInfo);
  return user && <ProfileForm session={user} />;
}

/** User Profile (specification §2, §5, §8). */
function ProfileForm({ session }: { session: Session }) {
  const dispatch = useAppDispatch();
  const initial = { name: session.name, email: session.email, ...NO_PASSWORDS };
  const { user, fields, bind, submit, setFields } = useAccountForm(initial, async ({ confirmPassword: _, ...change }) => {
    const result = await dispatch(saveProfile(change));
    if (saveProfile.fulfilled.match(result)) {
      // The field for the current password goes away, and must not take the focus along.
      if (change.currentPassword) document.querySelector<HTMLElement>('#main form [type="submit"]')?.focus();
      const { email } = result.payload;
      // An address that was left out stays as it is, and is shown again.
      return setFields((before) => ({ ...before, ...NO_PASSWORDS, email: before.email || email }));
    }
    if (result.error.status === 401) toast.error(LOGIN_AGAIN);
  });
  const { email, password } = fields;
  const asksForCurrent = password !== '' || (email.trim() !== '' && email.trim().toLowerCase() !== session.email.toLowerCase());
  return (
    <AccountFrame title="User Profile">
      <AccountForm onSubmit={submit}>
        {user.error && <Alert>{user.errorMessage}</Alert>}
        {user.updateSuccess && <Alert tone="good">Update Success!</Alert>}
        <Field label="Name" autoComplete="name" required {...bind('name')} />
        <Field label="Email Address" type="email" autoComplete="email" {...bind('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          minLength={8}
          hint="Leave empty to keep the one you have. At least 8 characters."
          {...bind('password')}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" {...bind('confirmPassword')} />
        {asksForCurrent && (
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            // Asked for by the server, so that two passwords that differ are told first.
            aria-required
            hint="To change your address or password, please type the password that you have now."
            {...bind('currentPassword')}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={user.pending} className="flex-1">
            Update
          </Button>
          <ButtonLink to="/" look="secondary">
            Go Back
          </ButtonLink>
        </div>
      </AccountForm>
    </AccountFrame>
  );
}
