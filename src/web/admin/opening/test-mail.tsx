import { useState } from 'react';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

/** Sends a test email to an address, the administrator's own to begin with. */
export function TestMail({ onSent }: { onSent: () => Promise<void> }) {
  const dispatch = useAppDispatch();
  const own = useAppSelector(({ user }) => user.userInfo?.email ?? '');
  const [said, setSaid] = useState('');
  const form = useForm({
    ...useFields({ email: own }),
    schema: async () => (await import('#contract/opening/opening.schema.ts')).TestMailBody,
    async send(body) {
      setSaid('');
      setSaid((await dispatch(request('POST /api/opening/mail', { body }))).message);
      await onSent();
    },
  });
  return (
    <Form form={form} className="grid justify-items-start gap-3">
      <Field label="Send a test email to" type="email" autoComplete="email" required {...form.bind('email')} />
      <Button type="submit" look="secondary" pending={form.pending}>
        Send the test email
      </Button>
      {said && <Alert tone="good">{said}</Alert>}
    </Form>
  );
}
