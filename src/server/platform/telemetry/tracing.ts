import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The kind of an error, such as a code: messages hold personal data. */
const kindOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error').slice(0, 100);
};

/** Runs work in a span of its own. */
export const inSpan = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  trace.getTracer('shop').startActiveSpan(name, { kind: SpanKind.CONSUMER }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
