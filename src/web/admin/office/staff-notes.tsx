import { shopTime } from '#contract/market/shop-time.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

const EMPTY = { text: '', isAboutCustomer: false };

/** What staff noted about an order and its customer, or about a customer. Customers never see it. */
export function StaffNotes({ of, id }: { of: 'order' | 'customer'; id: string }) {
  const dispatch = useAppDispatch();
  const isOrder = of === 'order';
  const input = { params: { id } };
  const { value, error, replace, reload } = useLoaded(
    isOrder ? 'GET /api/office/orders/:id/notes' : 'GET /api/office/users/:id/notes',
    input,
  );
  const { run, pending, error: refused } = useAction();
  const typed = useFields(EMPTY);
  const form = useForm({
    ...typed,
    schema: async () => (await import('#contract/office/office.schema.ts')).OrderNoteBody,
    send: async ({ text, isAboutCustomer }) => {
      const addRequest = isOrder
        ? request('POST /api/office/orders/:id/notes', { ...input, body: { text, isAboutCustomer } })
        : request('POST /api/office/users/:id/notes', { ...input, body: { text } });
      replace(await dispatch(addRequest));
      typed.change(EMPTY);
    },
  });
  const remove = (noteId: string) =>
    run(noteId, async () => {
      await dispatch(request('DELETE /api/office/notes/:id', { params: { id: noteId } }));
      await reload();
    });
  return (
    <Panel title="Staff notes" className="gap-4 print:hidden">
      {(error || refused) && <Alert>{error || refused}</Alert>}
      {value && value.notes.length > 0 && (
        <ul className="grid gap-3">
          {value.notes.map(({ _id, createdAt, actor, text, isAboutCustomer }) => (
            <li key={_id} className="border-l-2 border-line pl-4">
              <p className="whitespace-pre-line wrap-anywhere">{text}</p>
              <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
                <span>
                  {actor}, <time dateTime={createdAt}>{shopTime(createdAt)}</time>
                  {isOrder && isAboutCustomer && ', about the customer'}
                </span>
                <Button
                  look="quiet"
                  pending={pending === _id}
                  aria-label={`Delete the note of ${shopTime(createdAt)}`}
                  onClick={() => remove(_id)}
                >
                  Delete
                </Button>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Form form={form} className="grid justify-items-start gap-3 [&>.field]:w-full">
        <TextArea label="New note" rows={2} required hint="Only staff see it." {...form.bind('text')} />
        {isOrder && <Checkbox label="About the customer: show it on all of their orders" {...form.bindBox('isAboutCustomer')} />}
        <Button type="submit" look="secondary" pending={form.pending}>
          Add note
        </Button>
      </Form>
    </Panel>
  );
}
