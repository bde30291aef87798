import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Changes } from '#web/admin/changes.tsx';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DuplicateButton } from './duplicate-button.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductReviews } from './product-reviews.tsx';

/** Edit a product (specification §2): loads it, keeps its pictures, and refuses to overwrite someone else's newer edit. */
export function Component() {
  const { id = '' } = useParams();
  const { value: product, error, replace, reload: readAgain } = useLoaded('GET /api/office/products/:id', { params: { id } });
  const { value: changes = [], reload } = useLoaded('GET /api/products/:id/changes', { params: { id } });
  const [filled, setFilled] = useState(0);
  const version = product?.version;
  useEffect(() => {
    if (version !== undefined && version > 1) void reload();
  }, [version, reload]);
  const fillAgain = async () => {
    await readAgain();
    setFilled((times) => times + 1);
  };
  return (
    <AdminFrame title="Edit product" back="/admin/productlist" action={product && <DuplicateButton product={product} />}>
      {error && <Alert>{error}</Alert>}
      {!product && !error && <Skeleton label="Loading the product" />}
      {product && <ProductForm key={`${product._id} ${filled}`} product={product} onSaved={replace} onReload={() => void fillAgain()} />}
      {product && <ProductReviews productId={product._id} onChange={() => void reload()} />}
      <Changes changes={changes} />
    </AdminFrame>
  );
}
