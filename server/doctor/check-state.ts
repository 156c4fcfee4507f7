import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { countState, type StateFigures } from '../probes/count-state.ts';
import { mostUnindexed } from '../desk/queue/search-queue.ts';
import { counted, fail, type Finding, ok, warn } from './run-checks.ts';

/** Seconds after which somebody should have sent what is due. */
const late = 300;
/** Copies are made one after the other, and one may take minutes. */
const lateFilm = 3_600;
const minutes = (seconds: number) => Math.floor(seconds / 60);
const restart = 'Start the service, or restart it if it runs; then look for';

/** The figures of /metrics, for installations without alerts. */
export async function checkState(db: Db): Promise<Finding[]> {
  const findings = judgeState(await countState(db));
  return findings.length > 0 ? findings : [ok('No job, mail, delivery or payment event waits for somebody.')];
}

function judgeState(figures: StateFigures): Finding[] {
  const { parked, mails_due, oldest_mail_seconds, mails_retried, oldest_delivery_seconds, deliveries_due } = figures;
  const { failing_endpoints: failing = 0, disabled_endpoints, provider_events, unindexed_jobs = 0, films } = figures;
  const disabled = (disabled_endpoints['failing'] ?? 0) + (disabled_endpoints['gone'] ?? 0);
  const findings = [
    parked > 0 &&
      warn(
        `${counted(parked, 'job')} ${parked === 1 ? 'is' : 'are'} parked: no worker gets them any more.`,
        'Look why workers gave them up, and take or put them back at /desk.',
      ),
    (mails_retried > 0 || (mails_due > 0 && oldest_mail_seconds >= late)) &&
      (mails_retried > 0 ? warn : fail)(
        `${counted(mails_due, 'mail')} due, ${mails_retried} waiting after a failure; the oldest unsent one was due ${minutes(oldest_mail_seconds)} minutes ago.`,
        `${restart} "mail" in its log, and run doctor with --mail-to an address of yours.`,
      ),
    oldest_delivery_seconds >= late &&
      warn(
        `${deliveries_due.toLocaleString('en')} webhook ${deliveries_due === 1 ? 'delivery is' : 'deliveries are'} due, the oldest for ${minutes(oldest_delivery_seconds)} minutes.`,
        `${restart} "webhook" in its log. An endpoint that answers slowly delays only its own.`,
      ),
    failing + disabled > 0 &&
      warn(
        `${counted(failing, 'webhook endpoint')} of customers fail now, and ${disabled} are disabled for it.`,
        'Their owners were mailed after a day. If all fail, look whether the service reaches other hosts.',
      ),
    provider_events > 0 &&
      warn(
        `${counted(provider_events, 'event')} of the provider had no effect, and somebody may not have what they paid for.`,
        'Mend the reason that each has, and evaluate it again at /desk/payments.',
      ),
    unindexed_jobs > mostUnindexed &&
      warn(
        `The words of ${counted(unindexed_jobs, 'job')} are not stored: the search of the desk misses older ones.`,
        `After an import this takes minutes. ${restart} "indexJobs" in its log.`,
      ),
    films !== undefined &&
      films.oldest_seconds >= lateFilm &&
      warn(
        `${counted(films.pending, 'film')} wait for a look or a copy for viewing, the oldest for ${minutes(films.oldest_seconds)} minutes.`,
        `Set FFMPEG where the service runs, and look for "makeViewingCopies" in its log.`,
      ),
    films !== undefined &&
      films.failed > 0 &&
      warn(
        `${counted(films.failed, 'film')} of the last day got no copy for viewing.`,
        'Look for "copy for viewing" in the log at info, which says why.',
      ),
  ];
  return findings.filter((finding) => finding !== false);
}

const lookAtTasks = `${restart} "task" in its log.`;

type Late = { task: string; waits: boolean; seconds: number };

/**
 * A task is taken within two seconds of its time, unless its last run still lasts: then other tasks succeed.
 * A task that fails is taken, too, and has no success.
 */
export async function checkTasks(db: Db): Promise<Finding> {
  const { rows: all } = await sql<{ tasks: number }>`
    select count(*)::int as tasks from task_runs where due_at is not null`.execute(db);
  if (all[0]?.tasks === 0) return warn('No process has run scheduled tasks so far.', lookAtTasks);
  const { rows } = await sql<Late>`
    with late as (
      select task, due_at < now() - interval '1 minute' and latest < now() - interval '1 minute' as waits, round(extract(epoch from now() - due_at))::int as seconds,
        succeeded_at < now() - 3 * make_interval(secs => every_seconds) - interval '5 minutes' as fails
      from task_runs, (select max(succeeded_at) as latest from task_runs) as all_tasks
    )
    select task, waits, seconds from late where waits or fails order by waits desc, seconds desc, task`.execute(db);
  const waiting = rows.filter(({ waits }) => waits);
  if (waiting.length > 0)
    return fail(
      `No process runs scheduled tasks: ${namesOf(waiting)} late by ${waiting[0]?.seconds ?? 0} s.`,
      lookAtTasks,
    );
  if (rows.length > 0)
    return warn(`Scheduled tasks have not succeeded for three periods: ${namesOf(rows)}.`, lookAtTasks);
  return ok('Scheduled tasks run in time.');
}

const namesOf = (rows: readonly Late[]) => rows.map(({ task }) => task).join(', ');
