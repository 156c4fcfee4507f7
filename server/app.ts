import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import * as accounts from '../contract/accounts.ts';
import * as billing from '../contract/billing.ts';
import * as catalogue from '../contract/catalog.ts';
import * as deliverables from '../contract/deliverables.ts';
import * as deskAccounts from '../contract/desk-accounts.ts';
import * as desk from '../contract/desk.ts';
import * as entitlements from '../contract/entitlements.ts';
import * as figures from '../contract/figures.ts';
import * as files from '../contract/files.ts';
import * as installation from '../contract/installation.ts';
import * as intake from '../contract/intake.ts';
import * as jobs from '../contract/jobs.ts';
import * as keys from '../contract/keys.ts';
import * as contract from '../contract/openapi.ts';
import * as probes from '../contract/probes.ts';
import * as queue from '../contract/queue.ts';
import * as usage from '../contract/usage.ts';
import * as workers from '../contract/workers.ts';
import { acceptInvitation } from './accounts/accept-invitation.ts';
import { cancelInvitation } from './accounts/cancel-invitation.ts';
import { changeMemberRole } from './accounts/change-member-role.ts';
import { inviteMember } from './accounts/invite-member.ts';
import { listInvitations } from './accounts/list-invitations.ts';
import { listMembers } from './accounts/list-members.ts';
import { listMyAccounts } from './accounts/list-my-accounts.ts';
import { removeMember } from './accounts/remove-member.ts';
import { requestPasswordReset } from './accounts/request-password-reset.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { sendVerificationEmail } from './accounts/send-verification-email.ts';
import { signIn } from './accounts/sign-in.ts';
import { signOut } from './accounts/sign-out.ts';
import { signUp } from './accounts/sign-up.ts';
import { switchAccount } from './accounts/switch-account.ts';
import { verificationPage } from './accounts/verification-page.ts';
import { verifyEmail } from './accounts/verify-email.ts';
import { listPrices } from './billing/list-prices.ts';
import { listProviderEvents } from './billing/list-provider-events.ts';
import { returnPage } from './billing/return-page.ts';
import { sandboxPages } from './billing/sandbox-pages.ts';
import { startCheckout } from './billing/start-checkout.ts';
import { verifyPrices } from './billing/verify-prices.ts';
import { webhookRoute } from './billing/webhook-route.ts';
import { verifiedCodes } from './billing/prices.ts';
import { reviewEvent } from './billing/review-event.ts';
import { checkIntent } from './jobs/check-intent.ts';
import { listPlans } from './catalog/list-plans.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { acceptJob } from './desk/accept-job.ts';
import { addNote } from './desk/add-note.ts';
import { claimJob } from './desk/claim-job.ts';
import { completeDeliverable } from './desk/complete-deliverable.ts';
import { countQueue } from './desk/count-queue.ts';
import { createWorkerKey } from './keys/create-worker-key.ts';
import { deleteWorkerKey } from './keys/delete-worker-key.ts';
import { downloadJobFile } from './desk/download-job-file.ts';
import { heartbeatLease } from './desk/heartbeat-lease.ts';
import { holdJob } from './desk/hold-job.ts';
import { listAccounts } from './desk/list-accounts.ts';
import { listOperators } from './desk/list-operators.ts';
import { listQueue } from './desk/list-queue.ts';
import { listWorkerKeys } from './keys/list-worker-keys.ts';
import { openJobFile } from './desk/open-job-file.ts';
import { passJob } from './desk/pass-job.ts';
import { presignDeliverable } from './desk/presign-deliverable.ts';
import { readAccount } from './desk/read-account.ts';
import { readDeskJob } from './desk/read-desk-job.ts';
import { readFigures } from './desk/read-figures.ts';
import { rejectJob } from './desk/reject-job.ts';
import { releaseJob } from './desk/release-job.ts';
import { returnJob } from './desk/return-job.ts';
import { startJob } from './desk/start-job.ts';
import { submitJob } from './desk/submit-job.ts';
import { listEntitlements } from './entitlements/list-entitlements.ts';
import { readMe } from './entitlements/read-me.ts';
import { completeUpload } from './files/complete-upload.ts';
import { createDownload } from './files/create-download.ts';
import { downloadFile } from './files/download-file.ts';
import { localRoutes } from './files/local-routes.ts';
import { presignUpload } from './files/presign-upload.ts';
import { createAuthorize } from './access/authorize.ts';
import { handler } from './http/handle.ts';
import type { Context } from './context.ts';
import { createHttp } from './http/server.ts';
import { addMessage } from './intake/add-message.ts';
import { confirmBrief } from './intake/confirm-brief.ts';
import { createModel } from './intake/model.ts';
import { openIntake } from './intake/open-intake.ts';
import { readIntake } from './intake/read-intake.ts';
import { admission } from './jobs/admission.ts';
import { approveJob } from './jobs/approve-job.ts';
import { cancelJob } from './jobs/cancel-job.ts';
import { countJobs } from './jobs/count-jobs.ts';
import { createJob } from './jobs/create-job.ts';
import { jobReader } from './jobs/job.ts';
import { listJobEvents } from './jobs/list-job-events.ts';
import { listJobs } from './jobs/list-jobs.ts';
import { preflightJob } from './jobs/preflight-job.ts';
import { readJob } from './jobs/read-job.ts';
import { requestRevision } from './jobs/request-revision.ts';
import { createApiKey } from './keys/create-api-key.ts';
import { deleteApiKey } from './keys/delete-api-key.ts';
import { listApiKeys } from './keys/list-api-keys.ts';
import { migrationNames } from './db/migrate.ts';
import { readInstallation } from './pages/read-installation.ts';
import { buildOf, servePages } from './pages/serve-pages.ts';
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
  const { catalog, config, db, log, metrics, publicUrl, rates, signer, state } = context;
  const grace = config.periodGraceHours;
  const app = await createHttp(log, metrics, config.trustProxy);
  const handle = handler(app, createAuthorize(context), rates);

  offerAccounts(handle, context);
  await app.register(verificationPage(context.auth));

  handle(keys.createApiKey, (request) => createApiKey(db, config.apiKeyLead, request));
  handle(keys.listApiKeys, (request) => listApiKeys(db, request));
  handle(keys.deleteApiKey, (request) => deleteApiKey(db, request));

  handle(catalogue.readCatalog, (request) => readCatalog(catalog, request.headers['if-none-match']));
  handle(catalogue.checkIntent, (request) => checkIntent(catalog, request.body));
  handle(catalogue.listPlans, async () => listPlans(catalog, await verifiedCodes(context)));

  handle(entitlements.readMe, (request) => readMe(db, signer, grace, request));
  handle(entitlements.listEntitlements, (request) => listEntitlements(db, grace, request));

  handle(usage.readUsage, (request) => readUsage(db, grace, request));

  const admit = admission(db, grace);
  const read = jobReader(db);
  handle(jobs.listJobs, (request) => listJobs(db, signer, request));
  handle(jobs.countJobs, (request) => countJobs(db, request));
  handle(jobs.preflightJob, (request) => preflightJob(db, catalog, rates, grace, request));
  handle(jobs.createJob, (request) => createJob(db, admit, catalog, grace, request));
  handle(jobs.readJob, (request) => readJob(read, request));
  handle(jobs.listJobEvents, (request) => listJobEvents(read, request));
  handle(jobs.approveJob, (request) => approveJob(db, request));
  handle(jobs.cancelJob, (request) => cancelJob(db, request));
  handle(jobs.requestRevision, (request) => requestRevision(db, catalog, grace, request));

  offerFiles(handle, context);
  if ('folder' in config.storage) await app.register(localRoutes({ db, signer, folder: config.storage.folder }));

  const terms = { plans: catalog.plans, livemode: context.provider.livemode };
  const model = createModel(config.intakeModel, log);
  handle(intake.openIntake, (request) => openIntake(db, catalog, model, request));
  handle(intake.readIntake, (request) => readIntake(db, catalog, request));
  handle(intake.addMessage, (request) => addMessage(db, catalog, model, request));
  handle(intake.confirmBrief, (request) => confirmBrief(db, catalog, grace, request));

  handle(billing.startCheckout, (request) => startCheckout(context, request));
  await app.register(returnPage(publicUrl));
  await app.register(webhookRoute({ db, secrets: config.webhookSecrets, ...terms }));
  handle(billing.listPrices, () => listPrices(context));
  handle(billing.verifyPrices, () => verifyPrices(context));
  handle(billing.listProviderEvents, (request) => listProviderEvents(db, signer, request));
  handle(billing.reviewEvent, (request) => reviewEvent(db, log, terms, request));
  if (context.provider.name === 'sandbox') await app.register(sandboxPages(context));

  offerDesk(handle, context);

  handle(probes.readHealth, () => readHealth());
  const migrations = await migrationNames();
  handle(probes.readReadiness, () => readReadiness(db, migrations, () => state.draining));
  handle(probes.readMetrics, () => readMetrics(metrics));

  const guide = readGuide(publicUrl);
  handle(contract.readOpenapi, createReadOpenapi(publicUrl, guide));
  await showReference(app, publicUrl, guide);
  const build = buildOf(pagesDir);
  handle(installation.readInstallation, () => readInstallation({ ...context, build }));
  await servePages(app, { dist: pagesDir, storage: context.storage });
  return app;
}

function offerAccounts(handle: ReturnType<typeof handler>, { auth, db }: Context): void {
  handle(accounts.signUp, (request) => signUp(db, auth, request));
  handle(accounts.signIn, (request) => signIn(auth, request));
  handle(accounts.signOut, (request) => signOut(db, auth, request));
  handle(accounts.requestPasswordReset, (request) => requestPasswordReset(auth, request));
  handle(accounts.resetPassword, (request) => resetPassword(auth, request));
  handle(accounts.sendVerificationEmail, (request) => sendVerificationEmail(auth, request));
  handle(accounts.verifyEmail, (request) => verifyEmail(auth, request));
  handle(accounts.listMyAccounts, (request) => listMyAccounts(db, request));
  handle(accounts.switchAccount, (request) => switchAccount(db, request));
  handle(accounts.listMembers, (request) => listMembers(db, request));
  handle(accounts.changeMemberRole, (request) => changeMemberRole(db, request));
  handle(accounts.removeMember, (request) => removeMember(db, request));
  handle(accounts.inviteMember, (request) => inviteMember(db, auth, request));
  handle(accounts.listInvitations, (request) => listInvitations(db, request));
  handle(accounts.cancelInvitation, (request) => cancelInvitation(db, request));
  handle(accounts.acceptInvitation, (request) => acceptInvitation(db, request));
}

function offerFiles(handle: ReturnType<typeof handler>, { catalog, config, db, storage }: Context): void {
  handle(files.presignUpload, (request) => presignUpload({ db, storage, catalog }, config, request));
  handle(files.completeUpload, (request) => completeUpload(db, storage, request));
  handle(files.downloadFile, (request) => downloadFile(db, storage, request));
  handle(files.createDownload, (request) => createDownload(db, storage, request));
}

/** The desk's part, for operators and workers. */
function offerDesk(handle: ReturnType<typeof handler>, { catalog, config, db, signer, storage }: Context): void {
  handle(queue.listQueue, (request) => listQueue(db, signer, request));
  handle(queue.countQueue, (request) => countQueue(db, request));
  handle(desk.readDeskJob, (request) => readDeskJob(db, request));
  handle(desk.addNote, (request) => addNote(db, request));
  handle(desk.claimJob, (request) => claimJob(db, request));
  handle(desk.heartbeatLease, (request) => heartbeatLease(db, request));
  handle(desk.acceptJob, (request) => acceptJob(db, request));
  handle(desk.startJob, (request) => startJob(db, request));
  handle(desk.submitJob, (request) => submitJob(db, request));
  handle(desk.passJob, (request) => passJob(db, request));
  handle(desk.returnJob, (request) => returnJob(db, request));
  handle(desk.rejectJob, (request) => rejectJob(db, request));
  handle(desk.releaseJob, (request) => releaseJob(db, request));
  handle(desk.holdJob, (request) => holdJob(db, request));
  handle(deliverables.presignDeliverable, (request) => presignDeliverable({ db, storage, catalog }, request));
  handle(deliverables.completeDeliverable, (request) => completeDeliverable(db, storage, request));
  handle(deliverables.downloadJobFile, (request) => downloadJobFile(db, storage, request));
  handle(deliverables.openJobFile, (request) => openJobFile(db, storage, request));
  handle(deskAccounts.listAccounts, (request) => listAccounts(db, signer, config.periodGraceHours, request));
  handle(deskAccounts.readAccount, (request) => readAccount(db, config.periodGraceHours, request));
  handle(deskAccounts.listOperators, () => listOperators(db));
  handle(figures.readFigures, (request) => readFigures(db, request));
  handle(workers.listWorkerKeys, () => listWorkerKeys(db));
  handle(workers.createWorkerKey, (request) => createWorkerKey(db, catalog, request));
  handle(workers.deleteWorkerKey, (request) => deleteWorkerKey(db, request));
}
