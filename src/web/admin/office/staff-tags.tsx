import { X } from 'lucide';
import { useId } from 'react';
import { MAX_TAG } from '#contract/office/tags.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { Icon } from '#web/ui/icon.tsx';
import { KnownTags } from './tag-list.tsx';

const EMPTY = { tag: '', isOnCustomer: false };

/** The tags of an order and its customer, or of a customer. Customers never see them. */
export function StaffTags({ of, id }: { of: 'order' | 'customer'; id: string }) {
  const dispatch = useAppDispatch();
  const knownTagsId = useId();
  const isOrder = of === 'order';
  const input = { params: { id } };
  const { value, error, replace, reload } = useLoaded(
    isOrder ? 'GET /api/office/orders/:id/tags' : 'GET /api/office/users/:id/tags',
    input,
  );
  const { run, pending, error: removeError } = useAction();
  const typed = useFields(EMPTY);
  const form = useForm({
    ...typed,
    schema: async () => (await import('#contract/office/office.schema.ts')).OrderTagBody,
    send: async ({ tag, isOnCustomer }) => {
      const addRequest = isOrder
        ? request('POST /api/office/orders/:id/tags', { ...input, body: { tag, isOnCustomer } })
        : request('POST /api/office/users/:id/tags', { ...input, body: { tag } });
      replace(await dispatch(addRequest));
      typed.change(EMPTY);
    },
  });
  const remove = (tagId: string) =>
    run(tagId, async () => {
      await dispatch(request('DELETE /api/office/tags/:id', { params: { id: tagId } }));
      await reload();
    });
  return (
    <Panel title="Tags" className="gap-4 print:hidden">
      {(error || removeError) && <Alert>{error || removeError}</Alert>}
      {value && value.tags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {value.tags.map(({ _id, tag, isOnCustomer }) => (
            <li
              key={_id}
              className={`inline-flex items-center rounded-soft pl-3 ${isOrder && isOnCustomer ? 'outline -outline-offset-1 outline-edge' : 'bg-accent-tint'}`}
            >
              <span className="wrap-anywhere">
                {isOrder && isOnCustomer && <span className="text-soft">Customer: </span>}
                {tag}
              </span>
              <button
                type="button"
                className="icon-btn size-target"
                aria-label={`Remove the tag ${tag}`}
                aria-busy={pending === _id || undefined}
                onClick={() => pending === '' && remove(_id)}
              >
                <Icon of={X} className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Form form={form} className="grid justify-items-start gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <Field label="New tag" required autoComplete="off" maxLength={MAX_TAG} list={knownTagsId} {...form.bind('tag')} />
          <Button type="submit" look="secondary" pending={form.pending}>
            Add tag
          </Button>
        </div>
        {isOrder && <Checkbox label="On the customer: all of their orders have it" {...form.bindBox('isOnCustomer')} />}
        <KnownTags id={knownTagsId} />
      </Form>
    </Panel>
  );
}
