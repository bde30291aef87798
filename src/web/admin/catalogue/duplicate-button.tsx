import { useNavigate } from 'react-router';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

/** Copies a product as a draft and opens the copy. */
export function DuplicateButton({ product }: { product: OfficeProduct }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { run, pending, error } = useAction();
  const duplicate = async () => {
    const copy = await dispatch(request('POST /api/office/products/:id/duplicate', { params: { id: product._id } }));
    await navigate(`/admin/editproduct/${copy._id}`);
  };
  return (
    <div className="grid justify-items-end gap-2">
      <Button look="secondary" pending={pending !== ''} onClick={() => run('duplicate', duplicate)}>
        Duplicate
      </Button>
      {error && <Alert>{error}</Alert>}
    </div>
  );
}
