import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
}

/** The status of a failed span in OTLP. */
const STATUS_ERROR = 2;

type Pair = { key: string; value: Record<string, unknown> };

const valuesOf = (pairs: Pair[] = []) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

interface OtlpBody {
  resourceSpans: {
    resource: { attributes: Pair[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Pair[]; status?: { code: number } })[] }[];
  }[];
}

/** Receives traces (OTLP over HTTP) and error reports (Sentry envelopes). */
export async function collector() {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const envelopes: unknown[][] = [];
  const asked: { url: string; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    if (request.url === '/v1/traces')
      for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpBody).resourceSpans) {
        resources.push(valuesOf(resource.attributes));
        for (const { attributes, status, links = [], ...span } of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, links, attributes: valuesOf(attributes), isFailed: status?.code === STATUS_ERROR });
      }
    else
      envelopes.push(
        body
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown),
      );
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    envelopes,
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
