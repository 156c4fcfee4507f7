import { version } from './version.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** One answered request. `route` is the pattern, not the path, so that ids do not create new series. */
  answered(method: string, route: string, status: number, seconds: number): void;
  refused(code: string): void;
  count(name: CounterName, outcome?: string, by?: number): void;
  /** With those of `more`, which has no name of ours. */
  read(more: Registry): Promise<{ type: string; text: string }>;
};

/** Counted where it happens, with its outcomes, so that each series begins with 0. */
const counters = {
  atelier_requests_total: [
    'Requests but for the probes, by outcome: failed are those with a status of 500 or more.',
    ['answered', 'failed'],
  ],
  atelier_claims_total: ['Jobs claimed by operators and workers of this process.', []],
  atelier_lease_expiries_total: ['Leases that this process ended because they had expired.', []],
  atelier_mails_total: ['Mails by what became of them.', ['sent', 'refused', 'given_up', 'dropped']],
  atelier_webhook_attempts_total: [
    'Posts to webhook endpoints by what came of them.',
    ['delivered', 'retried', 'dead', 'dropped'],
  ],
  atelier_provider_signatures_total: [
    'Posts to the webhook of the payment provider by what became of their signature.',
    ['accepted', 'other_mode', 'unmatched', 'untimely', 'unsigned'],
  ],
  atelier_viewing_copies_total: [
    'Films that this process looked at, by what became of their copy for viewing.',
    ['made', 'unneeded', 'failed', 'dropped'],
  ],
  atelier_viewing_copies_seconds_total: ['Seconds that this took.', []],
} as const satisfies Record<string, [help: string, outcomes: string[]]>;

type CounterName = keyof typeof counters;

/** What is read at each scrape. `faults` are counted by the whole process. */
export type Sources = {
  connections(): { total: number; idle: number; waiting: number };
  streams(): number;
  faults: Readonly<Record<string, number>>;
  /** The newest migration that the code knows. */
  schema: string;
};

/** Memory, event loop and garbage collection. Their observers cannot be removed, so they are made once. */
const ofProcess = new Registry();

export function createMetrics({ connections, streams, faults, schema }: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess });
  // Gauges in spite of their names, and sums of others.
  for (const kind of ['handles', 'requests', 'resources']) ofProcess.removeSingleMetric(`nodejs_active_${kind}_total`);
  const refusals = new Counter({
    name: 'atelier_refusals_total',
    help: 'Answers with an error code, by code.',
    labelNames: ['code'],
    registers,
  });
  const build = new Gauge({
    name: 'atelier_build_info',
    help: 'Always 1: the version of this process, and the newest migration that it knows.',
    labelNames: ['version', 'schema'],
    registers,
  });
  build.set({ version, schema }, 1);
  // The registry keeps the gauge and reads it at every scrape.
  void new Gauge({
    name: 'atelier_database_connections',
    help: 'Connections of this process by state; waiting are requests without one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
  void new Gauge({
    name: 'atelier_streams_open',
    help: 'Streams of events that this process serves.',
    registers,
    collect() {
      this.set(streams());
    },
  });
  void new Counter({
    name: 'atelier_database_faults_total',
    help: 'Statements of this process that took too long, got no answer or lost a race.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(faults)) this.inc({ kind }, count);
    },
  });
  const counts = createCounters(registry);
  return {
    answered: countAnswers(registers),
    count: (name, outcome, by = 1) => counts[name].inc(outcome === undefined ? {} : { outcome }, by),
    refused: (code) => refusals.inc({ code }),
    read: async (more) => ({
      type: registry.contentType,
      text: await Registry.merge([ofProcess, registry, more]).metrics(),
    }),
  };
}

function countAnswers(registers: Registry[]): Metrics['answered'] {
  // Not by route: fifteen lines for each route and status made a scrape of 300 kB.
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the first line of a request to its answer.',
    labelNames: ['status_code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status_code'],
    registers,
  });
  return (method, route, status, took) => {
    seconds.observe({ status_code: status }, took);
    requests.inc({ method, route, status_code: status });
  };
}

function createCounters(registry: Registry): Record<CounterName, Counter> {
  const create = ([name, [help, outcomes]]: [string, (typeof counters)[CounterName]]) => {
    const labelNames = outcomes.length > 0 ? ['outcome'] : [];
    const counter = new Counter({ name, help, labelNames, registers: [registry] });
    for (const outcome of outcomes) counter.inc({ outcome }, 0);
    return [name, counter];
  };
  return Object.fromEntries(Object.entries(counters).map(create)) as Record<CounterName, Counter>;
}
