import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Beginning, OpenSpan, Tracing } from './tracing.ts';

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
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** What a `traceparent` header says, or undefined where it is none. */
function readParent(header: Beginning['traceparent']): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

function providerOf({ endpoint, headers, share, release }: TraceSettings): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: 5_000 });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': release }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
}

class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #believesParent: boolean;
  readonly #underWay = new AsyncLocalStorage<Context>();

  constructor(settings: TraceSettings) {
    this.#provider = providerOf(settings);
    this.#tracer = this.#provider.getTracer('shop');
    this.#believesParent = settings.believesParent;
  }

  get isInside(): boolean {
    return this.#underWay.getStore() !== undefined;
  }

  begin({ name, kind, attributes = {}, traceparent, start }: Beginning): OpenSpan {
    const said = readParent(traceparent);
    const around = this.#underWay.getStore() ?? ROOT_CONTEXT;
    const context = said && this.#believesParent ? trace.setSpanContext(around, said) : around;
    const links = said && !this.#believesParent ? [{ context: said }] : [];
    const options = { kind: KINDS[kind], attributes, links, ...(start !== undefined && { startTime: start }) };
    const span = this.#tracer.startSpan(name, options, context);
    const inside = trace.setSpan(context, span);
    return { run: (work) => this.#underWay.run(inside, work), end: (known) => endSpan(span, known) };
  }

  async stop(): Promise<void> {
    await Promise.race([this.#provider.shutdown(), setTimeout(STOP_MS, undefined, { ref: false })]);
  }
}

function endSpan(span: Span, { name, attributes, failure }: Parameters<OpenSpan['end']>[0] = {}): void {
  if (name) span.updateName(name);
  if (attributes) span.setAttributes(attributes);
  if (failure) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Sends traces by OTLP over HTTP, in batches. A collector that is away loses them and holds up nothing. */
export const openTracing = (settings: TraceSettings): Tracing => new OpenTelemetry(settings);
