import { useEffect, useState } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/browser/drafts.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { saveProfile, selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { checkRepeated, NewPasswordFields, PasswordField } from './password-field.tsx';
import { useAccountForm } from './use-account-form.ts';

/** For administrators only. */
const SecondFactorPanel = lazyPart(async () => (await import('./second-factor-panel.tsx')).SecondFactorPanel);

const NO_PASSWORDS = { password: '', confirmPassword: '', currentPassword: '' };

/** The login guard renders this page only for a user. */
export function Component() {
  const user = useAppSelector(selectUserInfo);
  return user && <ProfileForm session={user} />;
}

/** A new email or password asks for the current password (clarifications, account changes). */
function asksForCurrent({ email, password }: { email: string; password: string }, session: Session): boolean {
  return password !== '' || (email.trim() !== '' && email.trim().toLowerCase() !== session.email.toLowerCase());
}

/** Keeps changes of name and email over a reload, never passwords. */
function useKeptDraft({ _id, ...saved }: Session, { name, email }: { name: string; email: string }): void {
  const isChanged = name !== saved.name || email !== saved.email;
  useEffect(() => {
    if (isChanged) writeDraft('profileDraft', _id, { name, email });
    else deleteDraft('profileDraft');
  }, [_id, name, email, isChanged]);
}

function useProfileForm(session: Session) {
  const dispatch = useAppDispatch();
  /** The new email has to be confirmed. */
  const [hasNewEmail, setHasNewEmail] = useState(false);
  const form = useAccountForm(
    { name: session.name, email: session.email, ...readDraft('profileDraft', session._id), ...NO_PASSWORDS },
    {
      schema: async () => (await import('#contract/accounts/users.schema.ts')).ProfileBody,
      check: checkRepeated,
      async send({ confirmPassword: _, ...change }) {
        const result = await dispatch(saveProfile(change));
        if ('error' in result) return result.error;
        setHasNewEmail(result.payload.email.toLowerCase() !== session.email.toLowerCase());
        // Moves the focus off the current password's field, which disappears.
        if (change.currentPassword) document.querySelector<HTMLElement>('#main form [type="submit"]')?.focus();
        // An empty address leaves the old one, which is shown again.
        form.change({ ...NO_PASSWORDS, ...(!change.email && { email: result.payload.email }) });
        return undefined;
      },
    },
  );
  useKeptDraft(session, form.fields);
  return { form, hasNewEmail };
}

/** The page does not know whether the address is confirmed: the server answers that it is. */
function ConfirmAddress() {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const send = () => run('send', async () => (await dispatch(request('POST /api/users/confirm-email/send', {}))).message);
  return (
    <div className="mt-8 grid gap-3">
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      <p className="text-soft">
        Until your email address is confirmed, our emails leave out your name, your delivery address and your invoices.
      </p>
      <p>
        <Button look="secondary" pending={pending !== ''} onClick={send}>
          Confirm my email address
        </Button>
      </p>
    </div>
  );
}

/** User Profile (specification §2, §5, §8). */
function ProfileForm({ session }: { session: Session }) {
  const { form, hasNewEmail } = useProfileForm(session);
  return (
    <AccountFrame title="User Profile">
      <Form form={form}>
        {form.done && <Alert tone="good">Update Success!</Alert>}
        {form.done && hasNewEmail && (
          <Alert tone="good">
            We have emailed a link to your new address. Until you open it, emails about your orders may go to your earlier address.
          </Alert>
        )}
        <Field label="Name" autoComplete="name" required {...form.bind('name')} />
        <Field label="Email Address" type="email" autoComplete="email" {...form.bind('email')} />
        <NewPasswordFields bind={form.bind} hint="Leave blank to keep your current password. At least 8 characters." />
        {asksForCurrent(form.fields, session) && (
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            // Checked by the server, after the two new passwords were compared.
            aria-required
            hint="Enter your current password to change your email address or password."
            {...form.bind('currentPassword')}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={form.pending} className="flex-1">
            Update
          </Button>
          <ButtonLink to="/" look="secondary">
            Go Back
          </ButtonLink>
        </div>
      </Form>
      <ConfirmAddress />
      {session.isAdmin && <SecondFactorPanel />}
    </AccountFrame>
  );
}
