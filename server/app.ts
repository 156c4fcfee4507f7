import type { FastifyInstance } from 'fastify';
import * as accounts from '../contract/accounts.ts';
import * as billing from '../contract/billing.ts';
import * as catalogue from '../contract/catalog.ts';
import * as deliverables from '../contract/deliverables.ts';
import * as desk from '../contract/desk.ts';
import * as entitlements from '../contract/entitlements.ts';
import * as files from '../contract/files.ts';
import * as intake from '../contract/intake.ts';
import * as jobs from '../contract/jobs.ts';
import * as keys from '../contract/keys.ts';
import * as contract from '../contract/openapi.ts';
import * as probes from '../contract/probes.ts';
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
import { createWorkerKey } from './keys/create-worker-key.ts';
import { deleteWorkerKey } from './keys/delete-worker-key.ts';
import { downloadJobFile } from './desk/download-job-file.ts';
import { heartbeatLease } from './desk/heartbeat-lease.ts';
import { listAccounts } from './desk/list-accounts.ts';
import { listQueue } from './desk/list-queue.ts';
import { listWorkerKeys } from './keys/list-worker-keys.ts';
import { passJob } from './desk/pass-job.ts';
import { presignDeliverable } from './desk/presign-deliverable.ts';
import { readDeskJob } from './desk/read-desk-job.ts';
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
import { readHealth } from './probes/read-health.ts';
import { readMetrics } from './probes/read-metrics.ts';
import { readReadiness } from './probes/read-readiness.ts';
import { readGuide } from './reference/guide.ts';
import { createReadOpenapi } from './reference/read-openapi.ts';
import { showReference } from './reference/show-reference.ts';
import { readUsage } from './usage/read-usage.ts';

/** What callers can ask: every endpoint, in the order of the rooms. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const { catalog, config, db, log, metrics, publicUrl, rates, seal, state } = context;
  const grace = config.periodGraceHours;
  const app = await createHttp(log, metrics, config.trustProxy);
  const handle = handler(app, createAuthorize(context), rates);

  offerAccounts(handle, context);
  await app.register(verificationPage(context.auth));

  handle(keys.createApiKey, (ask) => createApiKey(db, config.apiKeyLead, ask));
  handle(keys.listApiKeys, (ask) => listApiKeys(db, ask));
  handle(keys.deleteApiKey, (ask) => deleteApiKey(db, ask));

  handle(catalogue.readCatalog, (ask) => readCatalog(catalog, ask.headers['if-none-match']));
  handle(catalogue.checkIntent, (ask) => checkIntent(catalog, ask.body));
  handle(catalogue.listPlans, async () => listPlans(catalog, await verifiedCodes(context)));

  handle(entitlements.readMe, (ask) => readMe(db, seal, grace, ask));
  handle(entitlements.listEntitlements, (ask) => listEntitlements(db, grace, ask));

  handle(usage.readUsage, (ask) => readUsage(db, grace, ask));

  const admit = admission(db, grace);
  const read = jobReader(db);
  handle(jobs.listJobs, (ask) => listJobs(db, seal, ask));
  handle(jobs.preflightJob, (ask) => preflightJob(db, catalog, rates, grace, ask));
  handle(jobs.createJob, (ask) => createJob(db, admit, catalog, grace, ask));
  handle(jobs.readJob, (ask) => readJob(read, ask));
  handle(jobs.listJobEvents, (ask) => listJobEvents(read, ask));
  handle(jobs.approveJob, (ask) => approveJob(db, ask));
  handle(jobs.cancelJob, (ask) => cancelJob(db, ask));
  handle(jobs.requestRevision, (ask) => requestRevision(db, catalog, grace, ask));

  offerFiles(handle, context);
  if ('folder' in config.storage) await app.register(localRoutes({ db, seal, folder: config.storage.folder }));

  const terms = { plans: catalog.plans, livemode: context.provider.livemode };
  const model = createModel(config.intakeModel, log);
  handle(intake.openIntake, (ask) => openIntake(db, catalog, model, ask));
  handle(intake.readIntake, (ask) => readIntake(db, catalog, ask));
  handle(intake.addMessage, (ask) => addMessage(db, catalog, model, ask));
  handle(intake.confirmBrief, (ask) => confirmBrief(db, catalog, grace, ask));

  handle(billing.startCheckout, (ask) => startCheckout(context, ask));
  await app.register(returnPage(publicUrl));
  await app.register(webhookRoute({ db, secrets: config.webhookSecrets, ...terms }));
  handle(billing.listPrices, () => listPrices(context));
  handle(billing.verifyPrices, () => verifyPrices(context));
  handle(billing.listProviderEvents, (ask) => listProviderEvents(db, seal, ask));
  handle(billing.reviewEvent, (ask) => reviewEvent(db, log, terms, ask));
  if (context.provider.name === 'sandbox') await app.register(sandboxPages(context));

  offerDesk(handle, context);

  handle(probes.readHealth, () => readHealth());
  const migrations = await migrationNames();
  handle(probes.readReadiness, () => readReadiness(db, migrations, () => state.draining));
  handle(probes.readMetrics, () => readMetrics(metrics));

  const guide = readGuide(publicUrl);
  handle(contract.readOpenapi, createReadOpenapi(publicUrl, guide));
  await showReference(app, publicUrl, guide);
  return app;
}

function offerAccounts(handle: ReturnType<typeof handler>, { auth, db }: Context): void {
  handle(accounts.signUp, (ask) => signUp(db, auth, ask));
  handle(accounts.signIn, (ask) => signIn(auth, ask));
  handle(accounts.signOut, (ask) => signOut(db, auth, ask));
  handle(accounts.requestPasswordReset, (ask) => requestPasswordReset(auth, ask));
  handle(accounts.resetPassword, (ask) => resetPassword(auth, ask));
  handle(accounts.sendVerificationEmail, (ask) => sendVerificationEmail(auth, ask));
  handle(accounts.verifyEmail, (ask) => verifyEmail(auth, ask));
  handle(accounts.listMyAccounts, (ask) => listMyAccounts(db, ask));
  handle(accounts.switchAccount, (ask) => switchAccount(db, ask));
  handle(accounts.listMembers, (ask) => listMembers(db, ask));
  handle(accounts.changeMemberRole, (ask) => changeMemberRole(db, ask));
  handle(accounts.removeMember, (ask) => removeMember(db, ask));
  handle(accounts.inviteMember, (ask) => inviteMember(db, auth, ask));
  handle(accounts.listInvitations, (ask) => listInvitations(db, ask));
  handle(accounts.cancelInvitation, (ask) => cancelInvitation(db, ask));
  handle(accounts.acceptInvitation, (ask) => acceptInvitation(db, ask));
}

function offerFiles(handle: ReturnType<typeof handler>, { catalog, config, db, storage }: Context): void {
  handle(files.presignUpload, (ask) => presignUpload({ db, storage, catalog }, config, ask));
  handle(files.completeUpload, (ask) => completeUpload(db, storage, ask));
  handle(files.downloadFile, (ask) => downloadFile(db, storage, ask));
  handle(files.createDownload, (ask) => createDownload(db, storage, ask));
}

/** The desk's part, for operators and workers. */
function offerDesk(handle: ReturnType<typeof handler>, { catalog, config, db, seal, storage }: Context): void {
  handle(desk.listQueue, (ask) => listQueue(db, seal, ask));
  handle(desk.readDeskJob, (ask) => readDeskJob(db, ask));
  handle(desk.addNote, (ask) => addNote(db, ask));
  handle(desk.claimJob, (ask) => claimJob(db, ask));
  handle(desk.heartbeatLease, (ask) => heartbeatLease(db, ask));
  handle(desk.acceptJob, (ask) => acceptJob(db, ask));
  handle(desk.startJob, (ask) => startJob(db, ask));
  handle(desk.submitJob, (ask) => submitJob(db, ask));
  handle(desk.passJob, (ask) => passJob(db, ask));
  handle(desk.returnJob, (ask) => returnJob(db, ask));
  handle(desk.rejectJob, (ask) => rejectJob(db, ask));
  handle(desk.releaseJob, (ask) => releaseJob(db, ask));
  handle(deliverables.presignDeliverable, (ask) => presignDeliverable({ db, storage, catalog }, ask));
  handle(deliverables.completeDeliverable, (ask) => completeDeliverable(db, storage, ask));
  handle(deliverables.downloadJobFile, (ask) => downloadJobFile(db, storage, ask));
  handle(desk.listAccounts, (ask) => listAccounts(db, seal, config.periodGraceHours, ask));
  handle(workers.listWorkerKeys, () => listWorkerKeys(db));
  handle(workers.createWorkerKey, (ask) => createWorkerKey(db, catalog, ask));
  handle(workers.deleteWorkerKey, (ask) => deleteWorkerKey(db, ask));
}
