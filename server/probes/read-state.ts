import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import { type LastBackup, readLastBackup } from '../backup/last-backup.ts';
import type { Signatures } from '../billing/webhook-health.ts';
import type { Db } from '../db/pool.ts';
import type { DiskSpace } from '../lib/disk-space.ts';
import type { StateFigures } from './count-state.ts';
import type { Dependencies } from './dependencies.ts';

type Run = { succeeded_at: number; seconds: number; every_seconds: number };
type Stored = { figures: StateFigures | null; age: number | null; runs: Record<string, Run> };
type State = Stored & { backup: LastBackup | null };

/** A few short reads, whatever the tables of jobs hold. Null: the database does not answer. */
async function findState(db: Db): Promise<State | null> {
  try {
    const { rows } = await sql<Stored>`
      select (select figures from state_figures where only_row) as figures,
        (select extract(epoch from now() - counted_at)::float8 from state_figures where only_row) as age,
        (select coalesce(json_object_agg(task, json_build_object('succeeded_at', extract(epoch from succeeded_at),
          'seconds', seconds, 'every_seconds', every_seconds)), '{}') from task_runs where task > '') as runs`.execute(
      db,
    );
    const [stored] = rows;
    const backup = await readLastBackup(db).catch(() => null); // the other figures are told without it
    return stored ? { ...stored, backup } : null;
  } catch {
    return null; // the gauge of dependencies says so
  }
}

function gauge(
  registry: Registry,
  name: string,
  help: string,
  values: [labels: Record<string, string>, value: number][],
) {
  const labelNames = Object.keys(values[0]?.[0] ?? {});
  const metric = new Gauge({ name, help, labelNames, registers: [registry] });
  for (const [labels, value] of values) metric.set(labels, value);
}

const alone = (value: number): [Record<string, string>, number][] => [[{}, value]];
const by = (label: string, counts: Record<string, number>): [Record<string, string>, number][] =>
  Object.entries(counts).map(([value, count]) => [{ [label]: value }, count]);

type OfProcess = {
  loops: Record<string, number>;
  files: DiskSpace | null;
  isCopy: boolean;
  /** Null: of a copy, to which the provider sends nothing, or not known yet. */
  signatures: Signatures | null;
};

/** What one process counted for all, and what this process depends on. `files`: the space of their disk. */
export async function readState(
  db: Db,
  dependencies: Dependencies,
  { loops, files, isCopy, signatures }: OfProcess,
): Promise<Registry> {
  const registry = new Registry();
  const state = await findState(db);
  const up = Object.entries(dependencies).map(([name, { status }]) => [name, status === 'ok' ? 1 : 0] as const);
  gauge(
    registry,
    'atelier_dependency_up',
    'Whether what this process depends on fully works: 1, or 0.',
    by('name', Object.fromEntries(up)),
  );
  gauge(
    registry,
    'atelier_loop_age_seconds',
    'Seconds since each loop of this process last succeeded.',
    by('loop', loops),
  );
  gauge(registry, 'atelier_outbound_off', 'Whether nothing goes outside: 1, or 0.', alone(isCopy ? 1 : 0));
  if (files && files.size > 0) {
    gauge(registry, 'atelier_files_free_bytes', 'Free space of the disk that holds the files.', alone(files.free));
    gauge(registry, 'atelier_files_disk_bytes', 'Size of that disk.', alone(files.size));
  }
  if (signatures) addSignatures(registry, signatures);
  if (state) addRuns(registry, state.runs);
  if (state?.backup) addBackup(registry, state.backup);
  if (state?.figures && state.age !== null) addFigures(registry, state.figures, state.age);
  return registry;
}

function addSignatures(registry: Registry, { accepted_at, refused_at, refused_since }: Signatures): void {
  gauge(
    registry,
    'atelier_provider_signatures_refused_since_accepted',
    'Posts to the webhook of the payment provider that were refused since the last accepted event.',
    alone(refused_since),
  );
  const seconds = (at: Date | null) => (at?.getTime() ?? 0) / 1000;
  gauge(
    registry,
    'atelier_provider_signature_timestamp_seconds',
    'When the signature of a post of the payment provider was last accepted or refused; 0: never.',
    by('outcome', { accepted: seconds(accepted_at), refused: seconds(refused_at) }),
  );
}

function addBackup(registry: Registry, { recorded, verified, began }: LastBackup): void {
  const add = (name: string, what: string, time: number | null) => {
    const help = `When a backup was last ${what}; before the first one, when the installation began.`;
    if (time !== null) gauge(registry, `atelier_last_${name}_timestamp_seconds`, help, alone(time));
  };
  add('backup', 'recorded', recorded ?? began);
  add('verified_backup', 'restored and checked', verified ?? began);
}

function addRuns(registry: Registry, runs: State['runs']): void {
  const of = (read: (run: Run) => number) =>
    by('task', Object.fromEntries(Object.entries(runs).map(([task, run]) => [task, read(run)])));
  gauge(
    registry,
    'atelier_task_last_success_timestamp_seconds',
    'When a scheduled task last succeeded in any process.',
    of(({ succeeded_at }) => succeeded_at),
  );
  gauge(
    registry,
    'atelier_task_duration_seconds',
    'How long that run took.',
    of(({ seconds }) => seconds),
  );
  gauge(
    registry,
    'atelier_task_period_seconds',
    'How often it runs.',
    of(({ every_seconds }) => every_seconds),
  );
}

function addFigures(registry: Registry, figures: StateFigures, age: number): void {
  const add = (name: string, help: string, values: [Record<string, string>, number][]) =>
    gauge(registry, `atelier_${name}`, help, values);
  add('state_age_seconds', 'Seconds since the figures of the whole installation were counted.', alone(age));
  add('jobs', 'Jobs that have not ended, by status.', by('status', figures.jobs));
  add(
    'jobs_oldest_queued_seconds',
    'Age of the oldest queued job that a worker could take; 0 if there is none.',
    alone(figures.oldest_queued_seconds),
  );
  add('jobs_overdue', 'Jobs past their due date that the studio has to deliver.', alone(figures.overdue));
  add('jobs_parked', 'Queued jobs on which five leases expired.', alone(figures.parked));
  add('mails_due', 'Mails that should be on their way.', alone(figures.mails_due));
  add('mails_retried', 'Mails that failed at least once and wait.', alone(figures.mails_retried));
  add(
    'mails_oldest_due_seconds',
    'How long ago the oldest unsent mail was first due; 0 if there is none.',
    alone(figures.oldest_mail_seconds),
  );
  add(
    'webhook_deliveries_due',
    'Due deliveries of endpoints that are enabled and do not fail now.',
    alone(figures.deliveries_due),
  );
  add(
    'webhook_deliveries_oldest_due_seconds',
    'How long the oldest of them has been due.',
    alone(figures.oldest_delivery_seconds),
  );
  if (figures.failing_endpoints !== undefined)
    add(
      'webhook_endpoints_failing',
      'Enabled endpoints that fail now and have deliveries waiting.',
      alone(figures.failing_endpoints),
    );
  add('webhook_endpoints_disabled', 'Disabled endpoints, by reason.', by('reason', figures.disabled_endpoints));
  add(
    'provider_events_to_look_at',
    'Ignored events of the provider with a cause to mend.',
    alone(figures.provider_events),
  );
  if (figures.unindexed_jobs !== undefined)
    add('unindexed_jobs', 'Jobs whose words are not stored for the search of the desk.', alone(figures.unindexed_jobs));
  const { films } = figures;
  if (!films) return;
  add('viewing_copies_pending', 'Films that wait for a look or for their copy for viewing.', alone(films.pending));
  add('viewing_copies_oldest_seconds', 'How long ago the oldest of them was uploaded.', alone(films.oldest_seconds));
  add('viewing_copies_failed', 'Films of the last day that got no copy for viewing.', alone(films.failed));
}
