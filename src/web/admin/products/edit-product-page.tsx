import { useEffect } from 'react';
import { useParams } from 'react-router';
import { listProductChanges, readProduct } from '#contract/catalogue.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Changes } from '#web/admin/changes.tsx';
import { useLoaded } from '#web/admin/use-call.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ProductForm } from './product-form.tsx';

/** Edit a product (specification §2): loads it, keeps its pictures, and refuses to overwrite someone else's newer edit. */
export function Component() {
  const { id = '' } = useParams();
  const { value: product, error, replace } = useLoaded(readProduct, { params: { id } });
  const { value: changes = [], reload } = useLoaded(listProductChanges, { params: { id } });
  const version = product?.version;
  useEffect(() => {
    if (version !== undefined && version > 1) void reload();
  }, [version, reload]);
  return (
    <AdminFrame title="Edit product" back="/admin/productlist">
      {error && <Alert>{error}</Alert>}
      {!product && !error && <Skeleton label="Loading the product" />}
      {product && <ProductForm product={product} onSaved={replace} />}
      <Changes changes={changes} />
    </AdminFrame>
  );
}
