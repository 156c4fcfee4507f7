import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  context,
  createContextKey,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { version } from './version.ts';

export type Facts = Record<string, string | number>;
/** Ends a span. With an error, it failed. */
export type EndSpan = (error?: unknown) => void;
export type RequestSpan = { within<Answer>(work: () => Answer): Answer; end(name: string, facts: Facts): void };

export type Tracing = {
  inSpan<Answer>(name: string, facts: Facts, work: () => Promise<Answer>): Promise<Answer>;
  apart<Answer>(work: () => Answer): Answer;
  /** Null where nobody would look for it: a statement that belongs to no request and no task. */
  statement(text: string): EndSpan | null;
  request(traceparent: string | undefined): RequestSpan;
  ids(): { trace_id: string; span_id: string } | null;
  headers(): { traceparent: string } | null;
  end(): Promise<void>;
};

type Log = Record<'warn', (fields: object, message: string) => void>;

/** Milliseconds: the longest wait for the collector at the end, and the shortest between two complaints. */
const endWithin = 1_000;
const sayEvery = 60_000;

const shared = createContextKey('work of several requests');

/** Endpoint, headers, sampler and limits are the library's own variables, which begin with OTEL_. */
export function createTracing(log: Log): Tracing {
  sayFaults(log);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'atelier', 'service.version': version }).merge(
      named() ? defaultResource() : null,
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: 5_000 }))],
  });
  // Nothing but our own regular expression reads the headers of callers.
  provider.register({ propagator: null });
  const tracer = provider.getTracer('atelier', version);
  const start = (name: string, kind: SpanKind, facts: Facts, parent = context.active()) =>
    tracer.startSpan(name, { kind, attributes: facts }, parent);
  return {
    async inSpan(name, facts, work) {
      const span = start(name, SpanKind.INTERNAL, facts);
      try {
        const answer = await context.with(trace.setSpan(context.active(), span), work);
        endOf(span)();
        return answer;
      } catch (error) {
        endOf(span)(error);
        throw error;
      }
    },
    apart: (work) => context.with(ROOT_CONTEXT.setValue(shared, true), work),
    statement(text) {
      if (!trace.getActiveSpan() && context.active().getValue(shared) === undefined) return null;
      const facts = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2_000) };
      return endOf(start(nameOf(text), SpanKind.CLIENT, facts));
    },
    request(traceparent) {
      const parent = parentOf(traceparent);
      const span = start('request', SpanKind.SERVER, {}, parent);
      const active = trace.setSpan(parent, span);
      return {
        within: (work) => context.with(active, work),
        end(name, facts) {
          span.updateName(name).setAttributes(facts);
          if (Number(facts['http.response.status_code']) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    ids() {
      const { traceId, spanId } = trace.getActiveSpan()?.spanContext() ?? {};
      return traceId && spanId ? { trace_id: traceId, span_id: spanId } : null;
    },
    headers() {
      const { traceId, spanId, traceFlags = 0 } = trace.getActiveSpan()?.spanContext() ?? {};
      return traceId && spanId ? { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` } : null;
    },
    end: () => Promise.race([provider.shutdown().catch(() => {}), wait(endWithin, undefined, { ref: false })]),
  };
}

/** Whether the operator named the service in the library's variables. */
const named = () =>
  process.env['OTEL_SERVICE_NAME'] !== undefined || process.env['OTEL_RESOURCE_ATTRIBUTES'] !== undefined;

/** An error's message may hold what somebody wrote. Its code and kind do not. */
const endOf =
  (span: Span): EndSpan =>
  (error) => {
    if (error !== undefined) {
      const { code, name } = error as { code?: unknown; name?: unknown };
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(code ?? name));
    }
    span.end();
  };

/** By W3C Trace Context. A stranger's `baggage` is not read, and so not passed on to receivers. */
function parentOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-e][0-9a-f]-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** What a statement does first, with its table; `begin` and `commit` as they are. */
function nameOf(text: string): string {
  const [what = ''] = /\b(?:insert into|update|delete from|from) "?\w+/i.exec(text) ?? [];
  return (what || text.trim().split(/\s/, 1)[0] || 'statement').toLowerCase().replace('"', '');
}

function sayFaults(log: Log): void {
  let saidAt = -Infinity;
  const say = (message: string) => {
    if (performance.now() - saidAt < sayEvery) return;
    saidAt = performance.now();
    log.warn({ reason: message.slice(0, 200) }, 'traces were not sent');
  };
  const quiet = () => {};
  diag.setLogger({ error: say, warn: say, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
}
