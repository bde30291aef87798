import { useState } from 'react';
import { Link } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { ProductForm } from './product-form.tsx';

/** Create a product (specification §2). A success empties the form for the next one. */
export function Component() {
  const [last, setLast] = useState<Product>();
  return (
    <AdminFrame title="Create New Product" back="/admin/productlist">
      <ProductForm onSaved={setLast} />
      {last && (
        <p className="mt-4">
          <Link to={`/product/${last._id}`} className="link">
            See {last.name} in the shop
          </Link>
        </p>
      )}
    </AdminFrame>
  );
}
