/** What a span may say of itself: never a parameter of a statement, an address or a name. */
export type Attributes = Record<string, string | number>;

export type SpanKind = 'server' | 'client' | 'consumer';

/** What is begun. */
export interface Beginning {
  name: string;
  kind: SpanKind;
  attributes?: Attributes;
  /** The header of the same name: which trace the asker says this belongs to (W3C trace context). Bytes from outside. */
  traceparent?: string | string[] | undefined;
  /** When it began, by `performance.now()`; now unless said. */
  start?: number;
}

/** A piece of work that is under way. */
export interface OpenSpan {
  /** Runs something as a part of it: spans that begin inside are its children. */
  run<T>(work: () => T): T;
  /** Ends it, with what is known by then. `failure` is a kind of error, such as a status or a code. */
  end(known?: { name?: string; attributes?: Attributes; failure?: string | undefined }): void;
}

/**
 * Where traces go (decision 52). There is none unless a setting asks for it: whoever would report looks first, so that the code of
 * OpenTelemetry is not even loaded.
 */
export interface Tracing {
  /** Whether something is under way that what begins now would be a part of. */
  readonly isInside: boolean;
  begin(what: Beginning): OpenSpan;
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
}

const failureOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error').slice(0, 100);
};

/** Does work as a span of its own, that ends when the work does, or when what it promises is there. */
export function inSpan<T>(tracing: Tracing, what: Beginning, work: () => T): T {
  const span = tracing.begin(what);
  const fail = (error: unknown): never => {
    span.end({ failure: failureOf(error) });
    throw error;
  };
  try {
    const result = span.run(work);
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then((value: unknown) => {
      span.end();
      return value;
    }, fail) as T;
  } catch (error) {
    return fail(error);
  }
}

/** The same object, each of whose methods is a span: what goes out to a provider or to a mail server. */
export function tracedCalls<T extends object>(tracing: Tracing | undefined, name: string, target: T): T {
  if (!tracing) return target;
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => inSpan(tracing, { name: `${name} ${String(key)}`, kind: 'client' }, () => value.apply(target, args));
    },
  });
}
