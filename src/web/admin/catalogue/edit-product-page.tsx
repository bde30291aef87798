import { useState } from 'react';
import { useParams } from 'react-router';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import type { ProductSale } from '#contract/catalogue/sale.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Changes } from '#web/admin/changes.tsx';
import { ProductReviews } from '#web/admin/reviews/product-reviews.tsx';
import { StockHistory } from '#web/admin/stock/stock-history.tsx';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DuplicateButton } from './duplicate-button.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductSalePanel } from './product-sale.tsx';

/** Edit a product (specification §2): loads it, keeps its pictures, and refuses to overwrite someone else's newer edit. */
export function Component() {
  const { id = '' } = useParams();
  const {
    value: product,
    error,
    replace: replaceProduct,
    reload: reloadProduct,
  } = useLoaded('GET /api/office/products/:id', { params: { id } });
  const {
    value: sale,
    error: saleError,
    reload: reloadSale,
    replace: replaceSale,
  } = useLoaded('GET /api/office/products/:id/sale', { params: { id } });
  const { value: changes = [], reload: reloadChanges } = useLoaded('GET /api/products/:id/changes', { params: { id } });
  const [fillCount, setFillCount] = useState(0);
  const errorText = error || saleError;
  const fillAgain = async () => {
    await Promise.all([reloadProduct(), reloadSale(), reloadChanges()]);
    setFillCount((count) => count + 1);
  };
  const onSaved = (saved: OfficeProduct) => {
    replaceProduct(saved);
    void reloadChanges();
  };
  const onSaleSaved = (saved: ProductSale) => {
    replaceSale(saved);
    void reloadChanges();
  };
  return (
    <AdminFrame
      title="Edit product"
      changes="change products"
      back="/admin/productlist"
      action={product && <DuplicateButton product={product} />}
    >
      {errorText && <Alert>{errorText}</Alert>}
      {(!product || !sale) && !errorText && <Skeleton label="Loading the product" />}
      {product && sale && (
        <ProductForm key={`${product._id} ${fillCount}`} product={product} onSaved={onSaved} onReload={() => void fillAgain()} />
      )}
      {product && sale && <ProductSalePanel key={`sale ${product._id}`} productId={product._id} sale={sale} onSaved={onSaleSaved} />}
      {product && <ProductReviews productId={product._id} onChange={() => void reloadChanges()} />}
      {product && <StockHistory productId={product._id} version={product.version} />}
      <Changes changes={changes} />
    </AdminFrame>
  );
}
