import { MAX_TAG } from '#contract/office/tags.ts';
import { ordersText } from '#web/admin/count-text.ts';
import { KnownTags } from '#web/admin/office/tag-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface TagFormProps {
  /** How many orders are selected. */
  orders: number;
  onTag: (tag: string) => void;
  onClose: () => void;
}

/** Asks for the tag of the selected orders. */
export function TagForm({ orders, onTag, onClose }: TagFormProps) {
  const form = useForm({
    ...useFields({ tag: '' }),
    schema: async () => (await import('#contract/office/office.schema.ts')).TagBody,
    send: async ({ tag }) => onTag(tag),
  });
  return (
    <Form form={form} className="grid gap-4">
      <h2>Add a tag</h2>
      <Field label="New tag" required autoComplete="off" maxLength={MAX_TAG} list="known-tags" {...form.bind('tag')} />
      <KnownTags id="known-tags" />
      <p className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" pending={form.pending}>
          Tag {ordersText(orders)}
        </Button>
      </p>
    </Form>
  );
}
