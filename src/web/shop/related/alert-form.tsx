import { useState } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

/** Form for a back-in-stock mail. The response is the same for every address, so it reveals nothing. */
export function AlertForm({ product }: { product: Pick<Product, '_id' | 'name'> }) {
  const dispatch = useAppDispatch();
  const [answer, setAnswer] = useState('');
  const form = useForm({
    ...useFields({ email: '', consent: false }),
    schema: async () => (await import('#contract/alerts/alerts.schema.ts')).AlertBody,
    async send({ email }) {
      const body = { email, consent: true } as const;
      setAnswer((await dispatch(request('POST /api/products/:id/alerts', { params: { id: product._id }, body }))).message);
    },
  });
  return (
    <section aria-labelledby="tell-me" className="panel grid gap-3">
      <h2 id="tell-me">Tell me when it is back</h2>
      {answer ? (
        <Alert tone="good">{answer}</Alert>
      ) : (
        <Form form={form} className="grid gap-3">
          <Field label="Email" type="email" autoComplete="email" required {...form.bind('email')} />
          <Checkbox label="Email me once, when it is back in stock." {...form.bindBox('consent')} />
          <Button type="submit" pending={form.pending}>
            Tell me
          </Button>
          <p className="hint">We will email you to confirm, and delete your address once we have told you.</p>
        </Form>
      )}
    </section>
  );
}
