import type { OfficeCard } from '#contract/catalogue/catalogue.ts';
import { productPath } from '#contract/catalogue/variant.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface SuccessorDialogProps {
  /** The deleted product; the dialog is closed without one. */
  product: OfficeCard | undefined;
  onClose: () => void;
  /** Called with the message for the list. */
  onChosen: (message: string) => void;
}

/** Chooses the successor of a deleted product. */
export function SuccessorDialog({ product, onClose, onChosen }: SuccessorDialogProps) {
  return (
    <Dialog open={product !== undefined} onClose={onClose} label="Successor" bare>
      {product && <SuccessorForm product={product} onClose={onClose} onChosen={onChosen} />}
    </Dialog>
  );
}

function SuccessorForm({ product, onClose, onChosen }: SuccessorDialogProps & { product: OfficeCard }) {
  const dispatch = useAppDispatch();
  const { _id, name } = product;
  const form = useForm({
    ...useFields({ product: product.successor ? location.origin + productPath(product.successor._id) : '' }),
    schema: async () => (await import('#contract/catalogue/catalogue.schema.ts')).SuccessorBody,
    send: async (body) => {
      const { successor } = await dispatch(request('PUT /api/office/products/:id/successor', { params: { id: _id }, body }));
      onChosen(successor ? `The address of ${name} redirects to ${successor.name}.` : `The address of ${name} no longer redirects.`);
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      <h2>Successor</h2>
      <p>
        Visitors of the old address of {name} are led to the page of another product. Without a successor they read that it is no longer
        sold.
      </p>
      <Field
        label="Address of the other product’s page"
        hint="Open it in the shop and copy its address. Leave empty for none."
        {...form.bind('product')}
      />
      <FormButtons pending={form.pending} onClose={onClose}>
        Save
      </FormButtons>
    </Form>
  );
}
