import { useState } from 'react';
import type { Webhook, Webhooks as WebhookList } from '#contract/integrations/integrations.schema.ts';
import { WEBHOOK_TOPICS, type WebhookTopic } from '#contract/integrations/integrations.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Choices } from './choices.tsx';
import { Messages } from './messages.tsx';
import { SecretBox } from './secret-box.tsx';

const TOPICS = Object.entries(WEBHOOK_TOPICS) as [WebhookTopic, string][];
const EMPTY = { address: '', topics: [] as WebhookTopic[] };

function NewWebhook({ onMade }: { onMade: (made: WebhookList & { secret: string }) => void }) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const form = useForm({
    ...useFields(EMPTY),
    schema: async () => (await import('#contract/integrations/integrations.schema.ts')).WebhookBody,
    async send(body) {
      onMade(await prove(() => dispatch(request('POST /api/office/webhooks', { body }))));
      form.change(EMPTY);
    },
  });
  return (
    <>
      <Form form={form} className="grid gap-4">
        <h3>Add a webhook</h3>
        <Field
          label="Address"
          type="url"
          inputMode="url"
          hint="Such as https://example.com/shop"
          maxLength={500}
          required
          {...form.bind('address')}
        />
        <Choices
          id="topics"
          legend="Events"
          options={TOPICS}
          chosen={form.fields.topics}
          error={form.errors.topics}
          onChange={(topics) => form.change({ topics })}
        />
        <p>
          <Button type="submit" pending={form.pending}>
            Add a webhook
          </Button>
        </p>
      </Form>
      {proofDialog}
    </>
  );
}

interface WebhookItemProps {
  webhook: Webhook;
  onChanged: (list: WebhookList) => void;
}

function WebhookItem({ webhook, onChanged }: WebhookItemProps) {
  const { _id, address, topics, isOn } = webhook;
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const action = useAction();
  const [isOpen, setIsOpen] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  // The key of the list of messages, so that it is loaded again after a test.
  const [testCount, setTestCount] = useState(0);
  const params = { id: _id };
  const test = () =>
    action.run('test', async () => {
      const { message } = await dispatch(request('POST /api/office/webhooks/:id/test', { params }));
      setTestCount(testCount + 1);
      setIsOpen(true);
      return message;
    });
  const toggle = () =>
    action.run('switch', async () => {
      const body = { address, topics, isOn: !isOn };
      onChanged(await prove(() => dispatch(request('PUT /api/office/webhooks/:id', { params, body }))));
    });
  const remove = () =>
    action.run('delete', async () => {
      try {
        onChanged(await dispatch(request('DELETE /api/office/webhooks/:id', { params })));
      } finally {
        setIsConfirming(false);
      }
    });
  return (
    <li className="grid gap-2 border-t border-line pt-4">
      <p className="font-medium break-all">
        {address}
        {!isOn && <span className="text-soft"> (switched off)</span>}
      </p>
      <p className="text-sm text-soft">Events: {topics.join(', ')}</p>
      {action.error && <Alert>{action.error}</Alert>}
      <p role="status">{action.done}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" pending={action.pending === 'test'} onClick={test}>
          Send a test
        </Button>
        <Button look="secondary" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Messages
        </Button>
        <Button look="quiet" pending={action.pending === 'switch'} onClick={toggle}>
          {isOn ? 'Switch off' : 'Switch on'}
        </Button>
        <Button look="quiet" aria-haspopup="dialog" onClick={() => setIsConfirming(true)}>
          Delete
        </Button>
      </div>
      {isOpen && <Messages key={testCount} webhookId={_id} />}
      <ConfirmDialog
        open={isConfirming}
        question="Delete this webhook?"
        name={`${address}, with its list of messages.`}
        action="Delete"
        pending={action.pending === 'delete'}
        onConfirm={remove}
        onCancel={() => setIsConfirming(false)}
      />
      {proofDialog}
    </li>
  );
}

/** Addresses of other programs that get the shop's events. */
export function Webhooks() {
  const { value: list, error, replace } = useLoaded('GET /api/office/webhooks', {});
  const [secret, setSecret] = useState('');
  return (
    <Panel title="Webhooks" className="gap-5">
      <p className="max-w-prose text-soft">
        A webhook sends a signed message to another program as soon as something happens. If the program does not accept it, we try again
        for a day and a half.
      </p>
      {error && <Alert>{error}</Alert>}
      {secret && <SecretBox key={secret} label="The secret of the new webhook" secret={secret} />}
      {!list && !error && <Skeleton label="Loading the webhooks" />}
      {list && list.webhooks.length > 0 && (
        <ul className="grid gap-4">
          {list.webhooks.map((webhook) => (
            <WebhookItem key={webhook._id} webhook={webhook} onChanged={replace} />
          ))}
        </ul>
      )}
      <NewWebhook
        onMade={(made) => {
          replace({ webhooks: made.webhooks });
          setSecret(made.secret);
        }}
      />
    </Panel>
  );
}
