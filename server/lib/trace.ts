import type { Facts, Tracing } from './open-telemetry.ts';

/** Null: no package of OpenTelemetry is loaded, and a span costs one comparison. */
export let tracing: Tracing | null = null;

type Log = Record<'warn', (fields: object, message: string) => void>;

/** Sends spans to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names. */
export async function startTracing(log: Log): Promise<void> {
  const { createTracing } = await import('./open-telemetry.ts');
  tracing = createTracing(log);
}

/** Sends what is left, for a second at most. */
export const endTracing = async (): Promise<void> => tracing?.end();

/** Facts are names, sizes and statuses, never what people wrote and never secrets. */
export const inSpan = <Answer>(name: string, facts: Facts, work: () => Promise<Answer>): Promise<Answer> =>
  tracing ? tracing.inSpan(name, facts, work) : work();

export const traceIds = (): { trace_id?: string; span_id?: string } => tracing?.ids() ?? {};

export const traceHeaders = (): { traceparent?: string } => tracing?.headers() ?? {};
