import type { FastifyInstance } from 'fastify';
import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import type { SignedIn } from './factories.ts';

/** The import and the export of products, as an administrator's browser uses them. */
export function importer(app: FastifyInstance, admin: SignedIn) {
  async function send(csv: string | Blob, fingerprint?: string) {
    const form = new FormData();
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'products.csv');
    if (fingerprint) form.append('fingerprint', fingerprint);
    const request = new Request('http://shop.test/', { method: 'POST', body: form });
    return app.inject({
      method: 'POST',
      url: '/api/products/import',
      headers: { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
  }
  const check = async (csv: string | Blob) => (await send(csv)).json<ImportReport>();
  return {
    send,
    check,
    /** Checks a file and carries out what the check said. */
    carryOut: async (csv: string | Blob) => (await send(csv, (await check(csv)).fingerprint)).json<ImportReport>(),
    /** With the columns of the form. */
    exported: async () => (await app.inject({ url: '/api/products/export', headers: admin.headers })).body,
    /** For people. */
    exportedWords: async () => (await app.inject({ url: '/api/products/export?columns=words', headers: admin.headers })).body,
  };
}
