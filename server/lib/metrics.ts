import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** One answered request. `route` is the pattern, not the path, so that ids do not create new series. */
  answered(method: string, route: string, status: number, seconds: number): void;
  refused(code: string): void;
  read(): Promise<{ type: string; text: string }>;
};

/** Memory, event loop and garbage collection. Their observers cannot be removed, so they are made once. */
const ofProcess = new Registry();

export function createMetrics(pool: () => { total: number; idle: number; waiting: number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the first line of a request to its answer.',
    labelNames: ['method', 'route', 'status_code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const refusals = new Counter({
    name: 'atelier_refusals_total',
    help: 'Answers with an error code, by code.',
    labelNames: ['code'],
    registers,
  });
  // The registry keeps the gauge and reads it at every scrape.
  void new Gauge({
    name: 'atelier_database_connections',
    help: 'Connections of this process by state; waiting are requests without one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(pool())) this.set({ state }, count);
    },
  });
  return {
    answered: (method, route, status, took) => seconds.observe({ method, route, status_code: status }, took),
    refused: (code) => refusals.inc({ code }),
    read: async () => ({ type: registry.contentType, text: await Registry.merge([ofProcess, registry]).metrics() }),
  };
}
