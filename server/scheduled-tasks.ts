import { deleteExpiredTokens } from './sign-in/delete-expired-tokens.ts';
import { deleteUnverifiedPeople } from './people/delete-unverified-people.ts';
import { endReplacedCheckouts } from './billing/end-replaced-checkouts.ts';
import { verifyPricesWhenDue } from './billing/verify-prices.ts';
import { expireLeases } from './desk/expire-leases.ts';
import { indexJobs } from './desk/index-jobs.ts';
import { deleteOldEvents } from './events/delete-old-events.ts';
import { deleteExpiredFiles } from './files/delete-expired-files.ts';
import { makePosters } from './files/make-posters.ts';
import { sweepStorage } from './files/sweep-storage.ts';
import { reencryptStoredSecrets } from './start/stored-secrets.ts';
import type { Context } from './start/context.ts';
import { autoApproveJobs } from './jobs/auto-approve-jobs.ts';
import { type Queue, startQueue } from './db/queue.ts';
import { forgetIdempotencyKeys } from './db/idempotency.ts';
import { checkFailingEndpoints } from './webhooks/check-failing-endpoints.ts';
import { deleteOldDeliveries } from './webhooks/delete-old-deliveries.ts';

/** A task's period bounds how late it can be: expired leases are promised back within 30 s. */
export const startScheduledTasks = (
  { auth, db, encryption, log, catalog, provider, signer, storage }: Context,
  databaseUrl: string,
): Queue =>
  startQueue(
    databaseUrl,
    {
      expireLeases: { everySeconds: 2, run: (stopped) => expireLeases(db, log, stopped) },
      autoApproveJobs: { everySeconds: 30, run: (stopped) => autoApproveJobs(db, log, stopped) },
      deleteExpiredFiles: { everySeconds: 3600, run: (stopped) => deleteExpiredFiles(db, storage, stopped) },
      reencryptStoredSecrets: {
        everySeconds: 60,
        run: (stopped) => reencryptStoredSecrets({ auth, db, encryption, log, signer }, stopped),
      },
      indexJobs: { everySeconds: 2, run: (stopped) => indexJobs(db, stopped) },
      makePosters: { everySeconds: 2, run: (stopped) => makePosters({ db, log, storage }, stopped) },
      sweepStorage: { everySeconds: 3600, run: (stopped) => sweepStorage({ db, log, storage }, stopped) },
      verifyPrices: { everySeconds: 300, run: () => verifyPricesWhenDue({ db, log, catalog, provider }) },
      endReplacedCheckouts: {
        everySeconds: 30,
        run: (stopped) => endReplacedCheckouts({ db, log, provider }, stopped),
      },
      deleteExpiredTokens: { everySeconds: 3600, run: (stopped) => deleteExpiredTokens(db, stopped) },
      deleteUnverifiedPeople: { everySeconds: 3600, run: (stopped) => deleteUnverifiedPeople(db, stopped) },
      checkFailingEndpoints: { everySeconds: 300, run: (stopped) => checkFailingEndpoints(db, stopped) },
      deleteOldDeliveries: { everySeconds: 3600, run: (stopped) => deleteOldDeliveries(db, stopped) },
      deleteOldEvents: { everySeconds: 3600, run: (stopped) => deleteOldEvents(db, stopped) },
      forgetIdempotencyKeys: { everySeconds: 3600, run: (stopped) => forgetIdempotencyKeys(db, stopped) },
    },
    log,
    signer.fingerprints[0],
  );
