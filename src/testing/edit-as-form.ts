import type { FastifyInstance } from 'fastify';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { fieldsOf, productBody } from '#web/admin/catalogue/product-fields.ts';
import { formOf } from '#web/browser/form-of.ts';

/** Changes fields of a product as its form does, or another program with values of its own. */
export async function editAsForm(
  app: FastifyInstance,
  headers: Record<string, string>,
  id: string,
  change: Partial<ReturnType<typeof fieldsOf>>,
  own: Partial<ReturnType<typeof productBody>> = {},
) {
  const product = (await app.inject({ url: `/api/office/products/${id}`, headers })).json<OfficeProduct>();
  const body = formOf({ ...productBody({ ...fieldsOf(product), ...change }, [], null, product), ...own });
  const sent = new Request('http://shop.test/', { method: 'PUT', body });
  return app.inject({
    method: 'PUT',
    url: `/api/products/${id}`,
    headers: { ...headers, 'content-type': sent.headers.get('content-type') ?? '' },
    payload: Buffer.from(await sent.arrayBuffer()),
  });
}
