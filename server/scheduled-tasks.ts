import { deleteOldEntries } from './audit/delete-old-entries.ts';
import { deleteExpiredTokens } from './sign-in/delete-expired-tokens.ts';
import { deleteUnverifiedPeople } from './people/delete-unverified-people.ts';
import { termsOf } from './billing/verify-terms.ts';
import { catchUpSubscriptions } from './billing/catch-up-subscriptions.ts';
import { deleteOldPayloads } from './billing/delete-old-payloads.ts';
import { endReplacedCheckouts } from './billing/end-replaced-checkouts.ts';
import { verifyPricesWhenDue } from './billing/verify-prices.ts';
import { deleteOldTokens } from './connect/delete-old-tokens.ts';
import { expireLeases } from './desk/queue/expire-leases.ts';
import { indexJobs } from './desk/queue/index-jobs.ts';
import { deleteOldEvents } from './events/delete-old-events.ts';
import { deleteExpiredFiles } from './files/delete-expired-files.ts';
import { deleteOldUploadPages } from './files/upload-page.ts';
import { isForeign } from './files/guard-storage.ts';
import { makePosters } from './files/make-posters.ts';
import { giveUpFilms, makeViewingCopies } from './files/films/make-viewing-copies.ts';
import { sweepStorage } from './files/sweep-storage.ts';
import { reencryptStoredSecrets } from './start/stored-secrets.ts';
import { type Context, instanceTagOf } from './start/context.ts';
import { deleteOldSessions } from './intake/delete-old-sessions.ts';
import { autoApproveJobs } from './jobs/auto-approve-jobs.ts';
import { deleteOldHistories } from './jobs/delete-old-histories.ts';
import { deleteOldInvitations } from './members/delete-old-invitations.ts';
import { listenToCommits } from './db/pool.ts';
import { type Queue, startQueue, type Task } from './db/queue.ts';
import { QueueWatch } from './db/queue-watch.ts';
import { forgetIdempotencyKeys } from './db/idempotency.ts';
import { deleteOldNotifications } from './notifications/delete-old-notifications.ts';
import { queueDigests } from './notifications/queue-digests.ts';
import { forgetLookers } from './review/looker.ts';
import { storeAlerts } from './desk/queue/store-alerts.ts';
import { storeUnheldDue } from './desk/queue/store-unheld-due.ts';
import { storeDayFigures } from './desk/figures/store-day-figures.ts';
import { tellOfApprovals } from './jobs/tell-of-approvals.ts';
import { tellOfKeys } from './notifications/tell-of-keys.ts';
import { checkFailingEndpoints } from './webhooks/check-failing-endpoints.ts';
import { examineWhenDue } from './doctor/examine-when-due.ts';
import { recordState } from './probes/record-state.ts';
import { forgetOtherTasks, runsOf } from './probes/task-runs.ts';
import { deleteOldDeliveries } from './webhooks/delete-old-deliveries.ts';

type ScheduledTask = {
  everySeconds: number;
  /** A copy does not run it. */
  reachesOut?: true;
  /** Whether this installation has the task. */
  isNeeded?(context: Context): boolean;
  /** A long run calls `alive`, so that it does not count as stuck. */
  run(context: Context, stopped: AbortSignal, alive?: () => Promise<void>): Promise<void>;
};

/** A task's period bounds how late it can be: expired leases are promised back within 30 s. */
export const scheduledTasks: Record<string, ScheduledTask> = {
  expireLeases: {
    everySeconds: 2,
    async run({ db, log, metrics }, stopped) {
      metrics.count('atelier_lease_expiries_total', undefined, await expireLeases(db, log, stopped));
    },
  },
  autoApproveJobs: {
    everySeconds: 30,
    reachesOut: true,
    run: ({ db, log }, stopped) => autoApproveJobs(db, log, stopped),
  },
  recordState: { everySeconds: 15, run: recordState },
  examineWhenDue: { everySeconds: 5, run: examineWhenDue },
  deleteExpiredFiles: {
    everySeconds: 3600,
    async run({ db, storage, config }, stopped) {
      if (config.ffmpeg === null) await giveUpFilms(db);
      await deleteExpiredFiles(db, storage, stopped);
    },
  },
  reencryptStoredSecrets: { everySeconds: 60, run: reencryptStoredSecrets },
  forgetLookers: { everySeconds: 600, run: ({ db }, stopped) => forgetLookers(db, stopped) },
  indexJobs: { everySeconds: 2, run: ({ db }, stopped, alive) => indexJobs(db, stopped, alive) },
  makePosters: {
    everySeconds: 2,
    async run(context, stopped) {
      if (!context.isCopy || !(await isForeign(context))) await makePosters(context, stopped);
    },
  },
  makeViewingCopies: {
    everySeconds: 5,
    isNeeded: ({ config }) => config.ffmpeg !== null,
    async run(context, stopped, alive) {
      if (context.isCopy && (await isForeign(context))) return;
      const beat = setInterval(() => void alive?.().catch(() => {}), 60_000);
      await makeViewingCopies(context, stopped).finally(() => clearInterval(beat));
    },
  },
  sweepStorage: { everySeconds: 3600, run: sweepStorage },
  verifyPrices: { everySeconds: 300, run: verifyPricesWhenDue },
  catchUpSubscriptions: {
    everySeconds: 60,
    run: (context, stopped) => catchUpSubscriptions({ ...context, terms: termsOf(context) }, stopped),
  },
  endReplacedCheckouts: { everySeconds: 30, reachesOut: true, run: endReplacedCheckouts },
  deleteOldTokens: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldTokens(db, stopped) },
  deleteOldUploadPages: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldUploadPages(db, stopped) },
  deleteExpiredTokens: { everySeconds: 3600, run: ({ db }, stopped) => deleteExpiredTokens(db, stopped) },
  deleteUnverifiedPeople: { everySeconds: 3600, run: ({ db }, stopped) => deleteUnverifiedPeople(db, stopped) },
  checkFailingEndpoints: { everySeconds: 300, run: ({ db }, stopped) => checkFailingEndpoints(db, stopped) },
  storeDayFigures: { everySeconds: 600, run: ({ db }, stopped) => storeDayFigures(db, stopped) },
  storeNewAlerts: { everySeconds: 2, run: ({ db }, stopped) => storeAlerts(db, stopped, 1) },
  storeAlerts: { everySeconds: 30, run: ({ db }, stopped) => storeAlerts(db, stopped) },
  storeUnheldDue: { everySeconds: 30, run: ({ db }, stopped) => storeUnheldDue(db, stopped) },
  tellOfApprovals: { everySeconds: 300, run: ({ db }, stopped) => tellOfApprovals(db, stopped) },
  tellOfKeys: { everySeconds: 3600, run: ({ db }, stopped) => tellOfKeys(db, stopped) },
  queueDigests: {
    everySeconds: 300,
    run: ({ db, catalog }, stopped) => queueDigests(db, catalog.businessHours?.time_zone ?? 'UTC', stopped),
  },
  deleteOldNotifications: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldNotifications(db, stopped) },
  deleteOldDeliveries: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldDeliveries(db, stopped) },
  deleteOldEvents: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldEvents(db, stopped) },
  deleteOldPayloads: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldPayloads(db, stopped) },
  deleteOldHistories: {
    everySeconds: 3600,
    run: ({ db, config }, stopped) => deleteOldHistories(db, config.retainEventsMonths, stopped),
  },
  deleteOldEntries: {
    everySeconds: 3600,
    run: ({ db, config }, stopped) => deleteOldEntries(db, config.retainAuditMonths, stopped),
  },
  deleteOldSessions: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldSessions(db, stopped) },
  deleteOldInvitations: { everySeconds: 3600, run: ({ db }, stopped) => deleteOldInvitations(db, stopped) },
  forgetIdempotencyKeys: { everySeconds: 3600, run: ({ db }, stopped) => forgetIdempotencyKeys(db, stopped) },
};

/** `giveUp` is called if opening the queue anew does not help. Null: it is opened again and again. */
export function startScheduledTasks(
  context: Context,
  databaseUrl: string,
  giveUp: ((reason: string) => void) | null = null,
): Queue {
  const needed = Object.entries(scheduledTasks).filter(([, { isNeeded }]) => isNeeded?.(context) ?? true);
  const tasks = needed.map(([name, { everySeconds, reachesOut, run }]): [string, Task] => {
    const note = runsOf(context.db, name);
    return [
      name,
      {
        everySeconds,
        async run(stopped) {
          const began = performance.now();
          const alive = () => note((performance.now() - began) / 1000);
          if (!reachesOut || !context.isCopy) await run(context, stopped, alive);
          await alive();
        },
      },
    ];
  });
  forgetOtherTasks(context.db, Object.keys(scheduledTasks)).catch((error: unknown) =>
    context.log.warn({ err: error }, 'tasks of other versions were not forgotten: /metrics shows when they ran'),
  );
  const { config, log, loops, signer } = context;
  const open = (noteRun: (secondsAgo: number) => void) =>
    startQueue(databaseUrl, Object.fromEntries(tasks), log, instanceTagOf(config, signer), {
      ran: noteRun,
      succeeded(task, secondsAgo) {
        loops.succeeded('tasks', secondsAgo);
        if (task === 'makePosters') loops.succeeded('posters', secondsAgo);
      },
    });
  const queue = new QueueWatch(context, open, giveUp);
  listenToCommits(context.db, () => queue.wake('makePosters'), 'posters');
  return queue;
}
