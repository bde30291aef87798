import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import type { DriverNoteProps } from './driver-note.tsx';

/** Writes the note for the driver. */
export function NoteForm({ order: { _id, deliveryNote }, onChange, onClose }: DriverNoteProps & { onClose: () => void }) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ deliveryNote }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).DeliveryNoteBody,
    send: async (body) => {
      onChange(await dispatch(request('PUT /api/orders/:id/delivery-note', { params: { id: _id }, body })));
      onClose();
    },
  });
  return (
    <Form form={form} className="grid gap-3">
      <Field label="Note for the driver" maxLength={300} hint="Such as a gate code." autoComplete="off" {...form.bind('deliveryNote')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="secondary" pending={form.pending}>
          Save note
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
