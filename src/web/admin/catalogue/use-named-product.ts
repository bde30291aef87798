import { useLoaded } from '#web/state/use-loaded.ts';

/** A product that a form knows by its id, and its name. */
export function useNamedProduct(id: string) {
  const { value: product, error } = useLoaded('GET /api/office/products/:id', { params: { id } });
  return { product, name: product?.name ?? (error ? 'A product that was deleted' : '…'), isGone: error !== '' };
}
