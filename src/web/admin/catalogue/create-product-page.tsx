import { useState } from 'react';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Link } from '#web/ui/link.tsx';
import { ProductForm } from './product-form.tsx';

/** Create a product (specification §2). A success empties the form for the next one. */
export function Component() {
  const [last, setLast] = useState<OfficeProduct>();
  return (
    <AdminFrame title="Create New Product" changes="change products" back="/admin/productlist">
      <ProductForm onSaved={setLast} />
      {last && (
        <p className="mt-4">
          {last.state === 'live' ? (
            <Link to={`/product/${last._id}`} className="link">
              See {last.name} in the shop
            </Link>
          ) : (
            <Link to={`/admin/editproduct/${last._id}`} className="link">
              Continue with {last.name}, which is not in the shop yet
            </Link>
          )}
        </p>
      )}
    </AdminFrame>
  );
}
