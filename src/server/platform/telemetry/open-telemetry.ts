import { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { context, defaultTextMapGetter, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface TraceSettings {
  /** The base URL of OTLP over HTTP. */
  endpoint: string;
  headers: Record<string, string>;
  /** The share of traces that is kept, 0 to 1. */
  share: number;
  /** Whether the `traceparent` of a request is trusted. */
  believesParent: boolean;
  release: string;
}

const STOP_MS = 2_000;
/** The longest statement text that is kept. */
const LONGEST_STATEMENT = 2_000;
/** The only attributes that are exported. Addresses, query strings, client networks and messages hold personal data. */
const HARMLESS_ATTRIBUTES = new Set([
  ...['http.request.method', 'http.route', 'http.response.status_code', 'error.type', 'server.address', 'server.port'],
  ...['db.system.name', 'db.operation.name', 'db.query.text', 'shop.request_id', 'shop.cache'],
]);

const redact = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => HARMLESS_ATTRIBUTES.has(name))) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;

const redacting = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(redact), done),
  shutdown: () => exporter.shutdown(),
});

const w3c = new W3CTraceContextPropagator();

/** Continues the trace that a request names only if it is trusted; else its span gets a link to it. Outgoing requests name no trace. */
const propagatorOf = (believesParent: boolean): TextMapPropagator => ({
  inject: () => undefined,
  extract: (current, carrier, getter) => (believesParent ? w3c.extract(current, carrier, getter) : current),
  fields: () => [],
});

/** The span context of a request's `traceparent`. */
const parentOf = ({ headers }: IncomingMessage) => trace.getSpanContext(w3c.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));

/**
 * Traces requests, statements and calls of the provider by OpenTelemetry's instrumentation, which patches modules as they are required: call it before
 * Fastify and pg are loaded. While the collector is away traces are lost.
 */
export function startTracing({ endpoint, headers, share, believesParent, release }: TraceSettings): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: 5_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': release }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: redacting(exporter), scheduledDelayMillis: 1_000 })],
    spanLimits: { attributeValueLengthLimit: LONGEST_STATEMENT },
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(propagatorOf(believesParent));
  const instrumentations = [
    new HttpInstrumentation({
      requireParentforOutgoingSpans: true,
      requestHook(span, request) {
        const parent = request instanceof IncomingMessage && !believesParent && parentOf(request);
        if (parent) span.addLink({ context: parent });
      },
    }),
    // Background polling has no parent span and is not traced.
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      requestHook: (span, { query }) => void span.updateName(`sql ${query.text.trim().split(/\s/, 1)[0]}`),
    }),
  ];
  return {
    async stop() {
      for (const instrumentation of instrumentations) instrumentation.disable();
      await Promise.race([provider.shutdown(), setTimeout(STOP_MS, undefined, { ref: false })]);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
