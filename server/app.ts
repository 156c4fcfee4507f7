import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import * as audit from '../contract/audit.ts';
import * as billing from '../contract/billing.ts';
import * as catalogue from '../contract/catalog.ts';
import * as entitlements from '../contract/entitlements.ts';
import * as files from '../contract/files.ts';
import * as installation from '../contract/installation.ts';
import * as intake from '../contract/intake.ts';
import * as jobs from '../contract/jobs.ts';
import * as keys from '../contract/keys.ts';
import * as contract from '../contract/openapi.ts';
import * as probes from '../contract/probes.ts';
import * as usage from '../contract/usage.ts';
import { listAccountAudit } from './audit/list-account-audit.ts';
import { listPrices } from './billing/list-prices.ts';
import { listProviderEvents } from './billing/list-provider-events.ts';
import { sandboxPages } from './billing/sandbox-pages.ts';
import { sandboxPortal } from './billing/sandbox-portal.ts';
import { startCheckout } from './billing/start-checkout.ts';
import { startPortal } from './billing/start-portal.ts';
import { verifyPrices } from './billing/verify-prices.ts';
import { webhookRoute } from './billing/webhook-route.ts';
import { verifiedCodes } from './billing/prices.ts';
import { reviewEvent } from './billing/review-event.ts';
import { checkIntent } from './jobs/check-intent.ts';
import { listPlans } from './catalog/list-plans.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { offerEvents } from './app-events.ts';
import { offerPeople } from './app-people.ts';
import { listEntitlements } from './entitlements/list-entitlements.ts';
import { readMe } from './entitlements/read-me.ts';
import { completeUpload } from './files/complete-upload.ts';
import { createDownload } from './files/create-download.ts';
import { deleteFile } from './files/delete-file.ts';
import { downloadFile } from './files/download-file.ts';
import { listFiles } from './files/list-files.ts';
import { localRoutes } from './files/local-routes.ts';
import { presignUpload } from './files/presign-upload.ts';
import { readFile } from './files/read-file.ts';
import { endStreams } from './access/end-streams.ts';
import { createAuthorize } from './access/authorize.ts';
import { type Handle, offerDesk } from './app-desk.ts';
import { handler } from './http/handle.ts';
import type { Operations } from './http/invoke.ts';
import type { Context } from './context.ts';
import { createHttp } from './http/server.ts';
import { addMessage } from './intake/add-message.ts';
import { closeIntake } from './intake/close-intake.ts';
import { confirmBrief } from './intake/confirm-brief.ts';
import { listIntake } from './intake/list-intake.ts';
import { openIntake } from './intake/open-intake.ts';
import { readIntake } from './intake/read-intake.ts';
import { approveJob } from './jobs/approve-job.ts';
import { cancelJob } from './jobs/cancel-job.ts';
import { countJobs } from './jobs/count-jobs.ts';
import { createJob } from './jobs/create-job.ts';
import { listJobEvents } from './jobs/list-job-events.ts';
import { listJobs } from './jobs/list-jobs.ts';
import { preflightJob } from './jobs/preflight-job.ts';
import { readJob } from './jobs/read-job.ts';
import { requestRevision } from './jobs/request-revision.ts';
import { createApiKey } from './keys/create-api-key.ts';
import { deleteApiKey } from './keys/delete-api-key.ts';
import { rotateApiKey } from './keys/rotate-api-key.ts';
import { listApiKeys } from './keys/list-api-keys.ts';
import { migrationNames } from './db/migrate.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { createOffer } from './mcp/offer.ts';
import { readInstallation } from './pages/read-installation.ts';
import { buildOf, servePages } from './pages/serve-pages.ts';
import { sandboxMail } from './pages/sandbox-mail.ts';
import { readHealth } from './probes/read-health.ts';
import { readMetrics } from './probes/read-metrics.ts';
import { readReadiness } from './probes/read-readiness.ts';
import { readGuide } from './reference/guide.ts';
import { createReadOpenapi } from './reference/read-openapi.ts';
import { showReference } from './reference/show-reference.ts';
import { readUsage } from './usage/read-usage.ts';

/** Where `web/build.ts` puts the pages. */
const pagesDir = join(import.meta.dirname, '../web/dist');

/** What callers can ask: every endpoint, in the order of the rooms. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const { catalog, config, db, log, metrics, publicUrl, signer } = context;
  const app = await createHttp(log, metrics, config.trustProxy, signer);
  const authorize = createAuthorize(context);
  const operations: Operations = new Map();
  const handle = handler(app, authorize, context, operations);
  endStreams(app, context);

  offerPeople(handle);

  handle(keys.createApiKey, createApiKey);
  handle(keys.listApiKeys, listApiKeys);
  handle(keys.rotateApiKey, rotateApiKey);
  handle(keys.deleteApiKey, deleteApiKey);

  handle(catalogue.readCatalog, readCatalog);
  handle(catalogue.checkIntent, checkIntent);
  handle(catalogue.listPlans, async (parts) => listPlans(parts, await verifiedCodes(parts)));

  handle(entitlements.readMe, readMe);
  handle(entitlements.listEntitlements, listEntitlements);
  handle(audit.listAccountAudit, listAccountAudit);

  handle(usage.readUsage, readUsage);

  offerJobs(handle);

  offerFiles(handle);
  if ('folder' in config.storage) await app.register(localRoutes({ db, signer, folder: config.storage.folder }));

  const terms = { plans: catalog.plans, livemode: context.provider.livemode };
  handle(intake.openIntake, openIntake);
  handle(intake.listIntake, listIntake);
  handle(intake.readIntake, readIntake);
  handle(intake.addMessage, addMessage);
  handle(intake.closeIntake, closeIntake);
  handle(intake.confirmBrief, confirmBrief);

  handle(billing.startCheckout, startCheckout);
  handle(billing.startPortal, startPortal);
  await app.register(webhookRoute({ db, rates: context.rates, signer, secrets: config.webhookSecrets, ...terms }));
  handle(billing.listPrices, listPrices);
  handle(billing.verifyPrices, verifyPrices);
  handle(billing.listProviderEvents, listProviderEvents);
  handle(billing.reviewEvent, reviewEvent);
  if (context.provider.name === 'sandbox') await app.register(sandboxPages(context)).register(sandboxPortal(context));

  offerDesk(handle);

  offerEvents(handle);

  handle(probes.readHealth, readHealth);
  const migrations = await migrationNames();
  handle(probes.readReadiness, (parts) => readReadiness(parts, migrations));
  handle(probes.readMetrics, readMetrics);

  if (config.smtpUrl === null) await app.register(sandboxMail(context));

  const guide = readGuide(publicUrl);
  handle(contract.readOpenapi, createReadOpenapi(publicUrl, guide));
  showReference(app, publicUrl, guide);
  await app.register(mcpRoute(context, authorize, createOffer({ ...context, operations, guide })));
  const build = buildOf(pagesDir);
  handle(installation.readInstallation, (parts) => readInstallation({ ...parts, build }));
  await servePages(app, { dist: pagesDir, storage: context.storage });
  return app;
}

function offerFiles(handle: Handle): void {
  handle(files.presignUpload, presignUpload);
  handle(files.completeUpload, completeUpload);
  handle(files.listFiles, listFiles);
  handle(files.readFile, readFile);
  handle(files.deleteFile, deleteFile);
  handle(files.downloadFile, downloadFile);
  handle(files.createDownload, createDownload);
}

function offerJobs(handle: Handle): void {
  handle(jobs.listJobs, listJobs);
  handle(jobs.countJobs, countJobs);
  handle(jobs.preflightJob, preflightJob);
  handle(jobs.createJob, createJob);
  handle(jobs.readJob, readJob);
  handle(jobs.listJobEvents, listJobEvents);
  handle(jobs.approveJob, approveJob);
  handle(jobs.cancelJob, cancelJob);
  handle(jobs.requestRevision, requestRevision);
}
