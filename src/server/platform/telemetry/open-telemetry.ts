import { IncomingMessage } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
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

/** Where traces go, and how many. */
export interface TraceSettings {
  /** Of OTLP over HTTP; `/v1/traces` is added. */
  endpoint: string;
  headers: Record<string, string>;
  /** How many of all traces are kept, 0 to 1. */
  share: number;
  /** Whether what a request says of its trace is believed. */
  believesParent: boolean;
  /** The version of the shop that runs. */
  release: string;
}

const STOP_MS = 2_000;
/** The longest text of a statement that is kept. */
const LONGEST = 2_000;
/** All that leaves the process of a span: never an address, a query string, a client's network or a message, which hold people's data. */
const HARMLESS = new Set([
  ...['http.request.method', 'http.route', 'http.response.status_code', 'error.type', 'server.address', 'server.port'],
  ...['db.system.name', 'db.operation.name', 'db.query.text', 'shop.request_id', 'shop.cache'],
]);

const harmless = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => HARMLESS.has(name))) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;

const withoutPeople = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(harmless), done),
  shutdown: () => exporter.shutdown(),
});

const w3c = new W3CTraceContextPropagator();

/** The trace that a request says it belongs to is continued only where it is believed; the provider and others are told of none. */
const propagatorOf = (believesParent: boolean): TextMapPropagator => ({
  inject: () => undefined,
  extract: (around, carrier, getter) => (believesParent ? w3c.extract(around, carrier, getter) : around),
  fields: () => [],
});

/** The span context that a request names. */
const namedBy = ({ headers }: IncomingMessage) => trace.getSpanContext(w3c.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));

/** Traces requests, statements and calls of the provider by OpenTelemetry's own instrumentation. A collector that is away loses traces and holds up nothing. */
export function startTracing({ endpoint, headers, share, believesParent, release }: TraceSettings): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: 5_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': release }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: withoutPeople(exporter), scheduledDelayMillis: 1_000 })],
    spanLimits: { attributeValueLengthLimit: LONGEST },
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(propagatorOf(believesParent));
  const instrumentations = [
    new HttpInstrumentation({
      requireParentforOutgoingSpans: true,
      requestHook(span, request) {
        const named = request instanceof IncomingMessage && !believesParent && namedBy(request);
        if (named) span.addLink({ context: named });
      },
    }),
    // What the shop asks by itself each second belongs to nothing and leaves none.
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      requestHook: (span, { query }) => void span.updateName(`sql ${query.text.trim().split(/\s/, 1)[0]}`),
    }),
  ];
  // They change a module when it is required; these have been imported before.
  for (const name of ['node:http', 'node:https', 'pg']) createRequire(import.meta.url)(name);
  syncBuiltinESMExports();
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
