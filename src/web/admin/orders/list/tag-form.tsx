import { MAX_TAG } from '#contract/office/tags.ts';
import { ordersText } from '#web/admin/count-text.ts';
import { KnownTags } from '#web/admin/office/tag-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

/** Asks for the tag that selected orders get. */
export function TagForm({ orders, onTag }: { orders: number; onTag: (tag: string) => void }) {
  const form = useForm({
    ...useFields({ tag: '' }),
    schema: async () => (await import('#contract/office/office.schema.ts')).TagBody,
    send: async ({ tag }) => onTag(tag),
  });
  return (
    <Form form={form} className="grid justify-items-start gap-4">
      <Field label="New tag" required autoComplete="off" maxLength={MAX_TAG} list="known-tags" {...form.bind('tag')} />
      <KnownTags id="known-tags" />
      <Button type="submit" pending={form.pending}>
        Tag {ordersText(orders)}
      </Button>
    </Form>
  );
}
