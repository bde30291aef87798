import { useState } from 'react';
import type { ApiKey, ApiKeys } from '#contract/integrations/integrations.schema.ts';
import { KEY_RIGHTS } from '#contract/integrations/integrations.ts';
import { shopDate, shopDay, shopTime } from '#contract/market/shop-time.ts';
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
import { Table } from '#web/ui/table.tsx';
import { Choices } from './choices.tsx';
import { SecretBox } from './secret-box.tsx';

type KeyRight = (typeof KEY_RIGHTS)[number];
const RIGHT_OPTIONS = KEY_RIGHTS.map((right) => [right, right.charAt(0).toUpperCase() + right.slice(1)] as const);
/** The last day of a key, which ends at the following midnight. */
const lastDay = (endsAt: string) => shopDate(shopDay(new Date(Date.parse(endsAt) - 1).toISOString()));

const columns = (onDelete: (key: ApiKey) => void) => [
  { label: 'Name', cell: ({ name }: ApiKey) => name },
  { label: 'Can', cell: ({ rights }: ApiKey) => rights.join(', ') },
  {
    label: 'Until',
    cell: ({ endsAt }: ApiKey) => (Date.parse(endsAt) < Date.now() ? `Ended on ${lastDay(endsAt)}` : lastDay(endsAt)),
  },
  { label: 'Last used', cell: ({ usedAt }: ApiKey) => (usedAt ? shopTime(usedAt) : 'Never') },
  { label: 'Made by', cell: ({ madeBy }: ApiKey) => madeBy },
  {
    label: 'Delete',
    cell: (key: ApiKey) => (
      <button type="button" className="link text-bad" aria-label={`Delete the key ${key.name}`} onClick={() => onDelete(key)}>
        Delete
      </button>
    ),
  },
];

const EMPTY = { name: '', endsOn: '', rights: [] as KeyRight[] };

function NewKey({ onMade }: { onMade: (made: ApiKeys & { key: string }) => void }) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const form = useForm({
    ...useFields(EMPTY),
    schema: async () => (await import('#contract/integrations/integrations.schema.ts')).NewKeyBody,
    async send(body) {
      onMade(await prove(() => dispatch(request('POST /api/office/keys', { body }))));
      form.change(EMPTY);
    },
  });
  return (
    <>
      <Form form={form} className="grid gap-4">
        <h3>Make a key</h3>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="What uses it" hint="Such as Courier" maxLength={60} required {...form.bind('name')} />
          <Field label="Last day" type="date" hint="Within two years" required {...form.bind('endsOn')} />
        </div>
        <Choices
          id="rights"
          legend="What it may do"
          options={RIGHT_OPTIONS}
          chosen={form.fields.rights}
          error={form.errors.rights}
          onChange={(rights) => form.change({ rights })}
        />
        <p>
          <Button type="submit" pending={form.pending}>
            Make a key
          </Button>
        </p>
      </Form>
      {proofDialog}
    </>
  );
}

/** Keys with which other programs call the API. */
export function Keys() {
  const dispatch = useAppDispatch();
  const { value: list, error, replace } = useLoaded('GET /api/office/keys', {});
  const action = useAction();
  const [newKey, setNewKey] = useState('');
  const [toDelete, setToDelete] = useState<ApiKey>();
  const remove = ({ _id, name }: ApiKey) =>
    action.run('delete', async () => {
      try {
        replace(await dispatch(request('DELETE /api/office/keys/:id', { params: { id: _id } })));
        return `The key ${name} no longer works.`;
      } finally {
        setToDelete(undefined);
      }
    });
  return (
    <Panel title="API keys" className="gap-5">
      <p className="max-w-prose text-soft">
        With a key, another program can do what you allow, such as list the orders to send or read the books. It can never give refunds, or
        change settings or staff.
      </p>
      {(error || action.error) && <Alert>{error || action.error}</Alert>}
      <p role="status">{action.done}</p>
      {newKey && <SecretBox key={newKey} label="The new key" secret={newKey} />}
      {!list && !error && <Skeleton label="Loading the keys" />}
      {list && list.keys.length > 0 && (
        <Table caption="API keys" columns={columns(setToDelete)} rows={list.keys} keyOf={({ _id }) => _id} />
      )}
      <NewKey
        onMade={({ key, keys }) => {
          replace({ keys });
          setNewKey(key);
        }}
      />
      <ConfirmDialog
        open={toDelete !== undefined}
        question="Delete this key?"
        name={toDelete ? `${toDelete.name}. What uses it can no longer reach the shop.` : ''}
        action="Delete"
        pending={action.pending === 'delete'}
        onConfirm={() => toDelete && remove(toDelete)}
        onCancel={() => setToDelete(undefined)}
      />
    </Panel>
  );
}
