import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditActions } from '../../contract/desk/audit-actions.ts';
import { showId } from '../../server/lib/id.ts';
import { unsubscribePath } from '../../server/mail/unsubscribe-token.ts';
import { newestVersionOf } from '../support/catalog.ts';
import { goodBodies } from '../support/every-endpoint.ts';
import { addSecondFactor, authenticatorOf } from '../support/authenticator.ts';
import { newDeliverable, newFile, newUploadPage, presign, put, sendByPage, someBytes, wish } from '../support/files.ts';
import type { As, Got } from '../support/harness.ts';
import { bodies, createStudio, newCustomer, newJob, newJobIn, post, setPlan, type Studio } from '../support/jobs.ts';
import { addImportedPerson } from '../support/imports.ts';
import { inviteOperator } from '../support/operators.ts';
import { addMaker, newOrder } from '../support/orders.ts';
import {
  addMember,
  goodPassword,
  mailedToken,
  makeOperator,
  signIn,
  signUp,
  signUpUnverified,
} from '../support/people.ts';
import { frame } from '../support/pictures.ts';
import { ask, say } from '../support/talk.ts';
import { deviceRequest, insertGrant } from '../support/apps.ts';
import { comment, newDelivery, newRevision, reply } from '../support/review.ts';
import { sendEvent } from '../support/plans.ts';
import { accountPath, adjustmentFor } from '../support/quota.ts';
import { finishJob, newShowLink } from '../support/library.ts';
import { newJobToCheck, newTime, setAside } from '../support/makers-hours.ts';
import { newReviewLink, replyAsGuest, sayAsGuest } from '../support/review-links.ts';
import { letStudioOrder } from '../support/studio-orders.ts';
import { claim, makeWorker } from '../support/workers.ts';
import { writes } from '../support/swept.ts';

/** Who changed what is told of every change: each operation that writes is done once, and its request is looked up. */
let studio: Studio;
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});
afterAll(() => studio.service.close());

/** These change nothing: a look, a mark of a reader, a mail on its way, a draft, or a lease that goes on. */
const silent = [
  'checkIntent',
  'checkCatalog',
  'preflightJob',
  'createDownload',
  'readUploadPage',
  'downloadReviewFile',
  'createArchive',
  'createLibraryArchive',
  'createReviewArchive',
  'startPortal',
  'requestPasswordReset',
  'changeEmail',
  'startSecondFactor',
  'sendVerificationEmail',
  'readMailedInvitation',
  'readMailedOperatorInvitation',
  'heartbeatLease',
  'saveDeliveryDraft',
  'viewJob',
  'readMessages',
  'followJob',
  'lookAtReview',
  'lookAsGuest',
  'readDeskMessages',
  'followDeskJob',
  'readNotification',
  'readJobNotifications',
];

/** The studio must not learn of these. */
const ofAccountOnly = [
  'createComment',
  'updateComment',
  'deleteComment',
  'createReply',
  'deleteReply',
  'settleComment',
  'askToLook',
  'createGuestComment',
  'deleteGuestComment',
  'createGuestReply',
  'deleteGuestReply',
];
/** A guest has no account. */
const byGuests = ['createGuestComment', 'deleteGuestComment', 'createGuestReply', 'deleteGuestReply'];

/** The job of an order is its maker's, who was not there. The confirmation has an entry of its own. */
const isOfMaker = (operationId: string, action: string) => operationId === 'confirmOrder' && action === 'job.created';

const bytes = someBytes();
const desk = (path: string) => `/api/operator/v1${path}`;
const { purpose: _, ...deliverable } = wish(bytes);

const macro = async () =>
  (await post(studio.service, operator(), desk('/macros'), { name: randomUUID(), text: 'Hello.' })).body.macro.id;
const savedView = async () =>
  (await post(studio.service, operator(), desk('/saved-views'), goodBodies.createSavedView)).body.saved_view.id;
const template = async () =>
  (await post(studio.service, studio.key, '/api/v1/templates', { name: randomUUID(), service_family: 'design' })).body
    .template.id;
type Way = [method: string, path: string, as: As, body?: unknown];
const job = (status: Parameters<typeof newJobIn>[1]) => newJobIn(studio, status);
const timePath = async () => {
  const id = await job('queued');
  return `/jobs/${id}/times/${await newTime(studio, id)}`;
};
const ada = () => studio.ada.token;
const operator = () => studio.operator.token;
const move = async (name: string, from: Parameters<typeof newJobIn>[1], body: unknown = {}): Promise<Way> => [
  'POST',
  desk(`/jobs/${await job(from)}/${name}`),
  operator(),
  body,
];
const mine = async (name: string, from: Parameters<typeof newJobIn>[1], body?: unknown): Promise<Way> => [
  'POST',
  `/api/v1/jobs/${await job(from)}/${name}`,
  studio.key,
  body,
];
const intake = async () =>
  (await post(studio.service, studio.key, '/api/v1/intake/sessions', goodBodies.openIntake)).body.intake_session.id;
const deskAccount = async (verb: string) =>
  desk(`/accounts/${showId('acct', (await signUp(studio.service)).accountId)}/${verb}`);
const invite = async (email: string) =>
  (await post(studio.service, ada(), '/api/auth/invitations', { email, role: 'member' })).body.invitation.id;

const apiKeys = '/api/v1/api-keys';
const newApiKey = async () => (await post(studio.service, ada(), apiKeys, { name: 'audited' })).body.api_key.id;

const hooks = '/api/v1/webhook-endpoints';
const newHook = async () =>
  (await post(studio.service, ada(), hooks, goodBodies.createWebhookEndpoint)).body.webhook_endpoint.id;

async function newComment(): Promise<string> {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'Rounder.');
  return `/api/v1/jobs/${delivery.id}/comments/${body.comment.id}`;
}

async function decision(verb: string, body: unknown): Promise<Way> {
  const order = await newOrder(studio.service, await addMaker(studio.service, studio.ada));
  return ['POST', `/api/v1/orders/${order}/${verb}`, ada(), body];
}

/** How each operation comes to succeed. */
const ways: Record<string, () => Promise<Way> | Way> = {
  signUp: () => [
    'POST',
    '/api/auth/sign-up/email',
    null,
    { name: 'New', email: 'new@example.com', password: goodPassword },
  ],
  signIn: () => ['POST', '/api/auth/sign-in/email', null, { email: studio.ada.email, password: goodPassword }],
  signOut: async () => ['POST', '/api/auth/sign-out', (await signUp(studio.service)).token],
  verifyEmail: async () => {
    const person = await signUpUnverified(studio.service);
    const token = mailedToken(studio.service, person.email, 'Verify');
    return ['POST', '/api/auth/verify-email', person.token, { token }];
  },
  resetPassword: async () => {
    const { email } = await signUp(studio.service);
    await post(studio.service, null, '/api/auth/request-password-reset', { email });
    await expect.poll(() => mailedToken(studio.service, email, 'Reset')).not.toBe('');
    const token = mailedToken(studio.service, email, 'Reset');
    return ['POST', '/api/auth/reset-password', null, { token, new_password: 'another good battery' }];
  },
  switchAccount: async () => {
    const member = await addMember(studio.service, studio.ada, 'member');
    return ['POST', `/api/auth/accounts/${showId('acct', studio.ada.accountId)}/switch`, member.token];
  },
  createCalendar: () => ['POST', '/api/auth/calendar', ada(), {}],
  endCalendar: async () => {
    const as = ada();
    await post(studio.service, as, '/api/auth/calendar', {});
    return ['DELETE', '/api/auth/calendar', as];
  },
  chooseNotifications: () => ['PATCH', '/api/auth/notification-choices', ada(), { kinds: ['plan'], mail: 'daily' }],
  unsubscribe: async () => {
    const { userId } = await signUp(studio.service);
    const path = unsubscribePath(studio.service.context.signer, userId, 'plan');
    return ['POST', '/api/auth/unsubscribe', null, { token: path.split('token=')[1] }];
  },
  changeProfile: () => ['PATCH', '/api/auth/profile', ada(), { name: 'Ada Lovelace' }],
  changePassword: async () => {
    const { token } = await signUp(studio.service);
    const body = { current_password: goodPassword, new_password: 'another good battery' };
    return ['POST', '/api/auth/change-password', token, body];
  },
  confirmEmailChange: async () => {
    const { token } = await signUp(studio.service);
    const email = 'moved@example.com';
    await post(studio.service, token, '/api/auth/change-email', { email, password: goodPassword });
    await expect.poll(() => mailedToken(studio.service, email, 'Confirm')).not.toBe('');
    return ['POST', '/api/auth/change-email/confirm', token, { token: mailedToken(studio.service, email, 'Confirm') }];
  },
  undoChange: async () => {
    const { email: before, token } = await signUp(studio.service);
    const email = 'stolen@example.com';
    await post(studio.service, token, '/api/auth/change-email', { email, password: goodPassword });
    await expect.poll(() => mailedToken(studio.service, email, 'Confirm')).not.toBe('');
    const body = { token: mailedToken(studio.service, email, 'Confirm') };
    await post(studio.service, token, '/api/auth/change-email/confirm', body);
    const mail = () =>
      studio.service.emails.findLast(({ to, subject }) => to === before && subject.includes('changed'));
    await expect.poll(() => mail()?.text).toBeDefined();
    return ['POST', '/api/auth/undo-change', null, { token: /undo-change\?token=(\S+)/.exec(mail()?.text ?? '')?.[1] }];
  },
  endSession: async () => {
    const { email, sessionId } = await signUp(studio.service);
    return ['DELETE', `/api/auth/sessions/${showId('sess', sessionId)}`, (await signIn(studio.service, email)).token];
  },
  confirmSecondFactor: async () => {
    const { token } = await signUp(studio.service);
    const { body } = await post(studio.service, token, '/api/auth/second-factor/start', { password: goodPassword });
    return ['POST', '/api/auth/second-factor/confirm', token, { code: authenticatorOf(body.otpauth_url)() }];
  },
  endSecondFactor: async () => {
    const { token, phone } = await addSecondFactor(studio.service, await signUp(studio.service));
    return ['POST', '/api/auth/second-factor/end', token, { password: goodPassword, code: phone() }];
  },
  openAccount: async () => ['POST', '/api/auth/accounts', (await signUp(studio.service)).token, { name: 'Another' }],
  renameAccount: async () => ['PATCH', '/api/auth/account', (await signUp(studio.service)).token, { name: 'Renamed' }],
  chooseStudioOrders: async () => {
    const { token } = await signUp(studio.service);
    return ['PUT', '/api/auth/account/studio-orders', token, { allowed: true }];
  },
  replaceBrand: async () => [
    'PUT',
    '/api/v1/brand',
    (await signUp(studio.service)).token,
    { facts: [{ label: 'Tone', text: 'Calm' }], file_ids: [] },
  ],
  leaveAccount: async () => {
    const { token } = await addMember(studio.service, studio.ada, 'member');
    return ['POST', `/api/auth/accounts/${showId('acct', studio.ada.accountId)}/leave`, token];
  },
  declineInvitation: async () => {
    const { email, token } = await signUp(studio.service);
    return ['POST', `/api/auth/invitations/${await invite(email)}/decline`, token];
  },
  deletePerson: async () => [
    'POST',
    '/api/auth/delete',
    (await signUp(studio.service)).token,
    { password: goodPassword },
  ],
  closeAccount: async () => [
    'POST',
    '/api/auth/account/close',
    (await signUp(studio.service)).token,
    { password: goodPassword },
  ],
  inviteMember: () => ['POST', '/api/auth/invitations', ada(), { email: 'a@example.com', role: 'member' }],
  cancelInvitation: async () => ['DELETE', `/api/auth/invitations/${await invite('b@example.com')}`, ada()],
  acceptInvitation: async () => {
    const { email, token } = await signUp(studio.service);
    return ['POST', `/api/auth/invitations/${await invite(email)}/accept`, token];
  },
  changeMemberRole: async () => {
    const { memberId } = await addMember(studio.service, studio.ada, 'member');
    return ['PATCH', `/api/auth/members/${showId('mem', memberId)}`, ada(), { role: 'admin' }];
  },
  removeMember: async () => {
    const { memberId } = await addMember(studio.service, studio.ada, 'member');
    return ['DELETE', `/api/auth/members/${showId('mem', memberId)}`, ada(), {}];
  },
  createApiKey: () => ['POST', apiKeys, ada(), { name: 'audited' }],
  deleteApiKey: async () => ['DELETE', `${apiKeys}/${await newApiKey()}`, ada()],
  rotateApiKey: async () => ['POST', `${apiKeys}/${await newApiKey()}/rotate`, ada(), {}],
  decideConnection: async () => [
    'POST',
    '/api/auth/connection/decide',
    ada(),
    {
      request: await deviceRequest(studio.service, ada()),
      allow: true,
      account_id: showId('acct', studio.ada.accountId),
    },
  ],
  endConnectedApp: async () => [
    'DELETE',
    `/api/v1/connected-apps/${await insertGrant(studio.service, studio.ada)}`,
    ada(),
  ],
  endMyConnectedApp: async () => [
    'DELETE',
    `/api/auth/connected-apps/${await insertGrant(studio.service, studio.ada)}`,
    ada(),
  ],
  createJob: () => ['POST', '/api/v1/jobs', studio.key, goodBodies.createJob],
  confirmOrder: () => decision('confirm', goodBodies.confirmOrder),
  declineOrder: () => decision('decline', goodBodies.declineOrder),
  approveJob: () => mine('approve', 'ready_for_customer_review'),
  cancelJob: () => mine('cancel', 'queued'),
  requestRevision: () => mine('revision', 'ready_for_customer_review', bodies.revision),
  createComment: async () => {
    const { id, file } = await newDelivery(studio);
    return ['POST', `/api/v1/jobs/${id}/comments`, studio.key, { file_id: file, text: 'Rounder.' }];
  },
  updateComment: async () => ['PATCH', await newComment(), studio.key, { text: 'Much rounder.' }],
  deleteComment: async () => ['DELETE', await newComment(), studio.key],
  createReply: async () => ['POST', `${await newComment()}/replies`, studio.key, { text: 'Blue, too.' }],
  deleteReply: async () => {
    const { id, file } = await newDelivery(studio);
    const { body } = await comment(studio, { id, file }, 'Rounder.');
    const replied = await reply(studio, id, body.comment.id, 'Blue, too.');
    const [{ id: replyId }] = replied.body.comment.replies;
    return ['DELETE', `/api/v1/jobs/${id}/comments/${body.comment.id}/replies/${replyId}`, studio.key];
  },
  settleComment: async () => ['PUT', `${await newComment()}/settled`, studio.key, { settled: true }],
  askToLook: async () => {
    const { id } = await newDelivery(studio);
    const { userId } = await addMember(studio.service, studio.ada, 'member');
    return ['POST', `/api/v1/jobs/${id}/ask-to-look`, ada(), { user_id: showId('user', userId) }];
  },
  completeComment: async () => {
    const { id, comments } = await newRevision(studio, 'Rounder.');
    return ['POST', desk(`/jobs/${id}/comments/${comments[0]}/done`), operator(), {}];
  },
  reopenComment: async () => {
    const { id, comments } = await newRevision(studio, 'Rounder.');
    return ['POST', desk(`/jobs/${id}/comments/${comments[0]}/reopen`), operator(), {}];
  },
  presignUpload: () => ['POST', '/api/v1/files/presign', studio.key, wish(bytes)],
  createTextFile: () => ['POST', '/api/v1/files/text', studio.key, goodBodies.createTextFile],
  startPageUpload: async () => {
    const { token } = await newUploadPage(studio.service, studio.key);
    return ['POST', '/api/v1/upload-pages/start', null, { ...goodBodies.startPageUpload, token }];
  },
  completePageUpload: async () => {
    const { token } = await newUploadPage(studio.service, studio.key);
    await sendByPage(studio.service, token, bytes);
    return ['POST', '/api/v1/upload-pages/complete', null, { token }];
  },
  completeUpload: async () => {
    const { body } = await presign(studio.service, studio.key, bytes);
    await put(studio.service, body.upload, bytes);
    return ['POST', `/api/v1/files/${body.file.id}/complete`, studio.key];
  },
  copyFile: async () => [
    'POST',
    `/api/v1/files/${(await newFile(studio.service, studio.key, bytes)).id}/copy`,
    studio.key,
  ],
  createPoster: async () => {
    const { id } = await newFile(studio.service, studio.key, bytes, { content_type: 'video/mp4' });
    return ['POST', `/api/v1/files/${id}/poster`, studio.key, { jpeg: await frame() }];
  },
  deleteFile: async () => [
    'DELETE',
    `/api/v1/files/${(await newFile(studio.service, studio.key, bytes)).id}`,
    studio.key,
  ],
  createTemplate: () => ['POST', '/api/v1/templates', studio.key, goodBodies.createTemplate],
  replaceTemplate: async () => ['PUT', `/api/v1/templates/${await template()}`, studio.key, goodBodies.replaceTemplate],
  deleteTemplate: async () => ['DELETE', `/api/v1/templates/${await template()}`, studio.key],
  openIntake: () => ['POST', '/api/v1/intake/sessions', studio.key, goodBodies.openIntake],
  addMessage: async () => [
    'POST',
    `/api/v1/intake/sessions/${await intake()}/messages`,
    studio.key,
    goodBodies.addMessage,
  ],
  answerIntake: async () => [
    'POST',
    `/api/v1/intake/sessions/${await intake()}/answers`,
    studio.key,
    goodBodies.answerIntake,
  ],
  updateIntake: async () => ['PATCH', `/api/v1/intake/sessions/${await intake()}`, studio.key, goodBodies.updateIntake],
  closeIntake: async () => ['POST', `/api/v1/intake/sessions/${await intake()}/close`, studio.key],
  confirmBrief: async () => {
    const id = await intake();
    const say = (content: string) =>
      post(studio.service, studio.key, `/api/v1/intake/sessions/${id}/messages`, { content });
    let { body } = await say('logo');
    for (let n = 0; n < 20 && body.intake_session.status !== 'brief_ready'; n++) ({ body } = await say('you decide'));
    return ['POST', `/api/v1/intake/sessions/${id}/confirm`, studio.key, {}];
  },
  startCheckout: async () => {
    const { person } = await newCustomer(studio.service);
    return ['POST', '/api/checkout/tier', person.token, { plan_code: 'solo' }];
  },
  verifyPrices: () => ['POST', desk('/prices/verify'), operator()],
  reviewEvent: async () => {
    const id = `evt_${crypto.randomUUID()}`;
    await sendEvent(studio.service, { id, type: 'invoice.paid', livemode: false });
    return ['POST', desk(`/provider-events/${id}/review`), operator()];
  },
  acceptJob: () => move('accept', 'queued'),
  startJob: () => move('start', 'accepted'),
  submitJob: () => move('submit', 'running', bodies.submit),
  passJob: () => move('pass', 'needs_review'),
  returnJob: () => move('return', 'needs_review', bodies.return),
  rejectJob: () => move('reject', 'queued', bodies.reject),
  releaseJob: () => move('release', 'running'),
  holdJob: () => move('hold', 'running'),
  rescheduleJob: () => move('reschedule', 'running', goodBodies.rescheduleJob),
  replaceAccountNote: async () => ['PUT', await deskAccount('note'), operator(), goodBodies.replaceAccountNote],
  viewAccount: async () => ['POST', await deskAccount('view'), (await makeOperator(studio.service, 'lead')).token],
  endAccountView: async () => {
    const { token } = await makeOperator(studio.service, 'lead');
    const path = await deskAccount('view');
    await post(studio.service, token, path);
    return ['DELETE', path, token];
  },
  inviteImportedPeople: async () => {
    const { accountId } = await signUp(studio.service);
    await addImportedPerson(studio.service, accountId);
    return ['POST', desk(`/accounts/${showId('acct', accountId)}/imported/invite`), operator(), {}];
  },
  removeImportedPerson: async () => {
    const { accountId } = await signUp(studio.service);
    const person = await addImportedPerson(studio.service, accountId);
    return ['DELETE', desk(`/accounts/${showId('acct', accountId)}/imported-people/${person}`), operator()];
  },
  orderForAccount: async () => {
    await letStudioOrder(studio.service, studio.ada);
    return ['POST', `${accountPath(studio.ada)}/jobs`, operator(), goodBodies.orderForAccount];
  },
  createQuotaAdjustment: async () => {
    const path = `${accountPath(studio.ada)}/quota-adjustments`;
    return ['POST', path, operator(), await adjustmentFor(studio, studio.ada, 1)];
  },
  suspendAccount: async () => ['POST', await deskAccount('suspend'), operator(), goodBodies.suspendAccount],
  reopenAccount: async () => {
    const { accountId } = await signUp(studio.service);
    const path = desk(`/accounts/${showId('acct', accountId)}`);
    await post(studio.service, operator(), `${path}/suspend`, goodBodies.suspendAccount);
    return ['POST', `${path}/reopen`, operator()];
  },
  updateOperator: () => [
    'PATCH',
    desk(`/operators/${showId('user', studio.operator.userId)}`),
    operator(),
    { held_limit: 20 },
  ],
  removeOperator: async () => {
    const { userId } = await makeOperator(studio.service, 'maker');
    return ['DELETE', desk(`/operators/${showId('user', userId)}`), operator()];
  },
  inviteOperator: () => ['POST', desk('/operator-invitations'), operator(), goodBodies.inviteOperator],
  cancelOperatorInvitation: async () => {
    const { id } = await inviteOperator(studio.service, studio.operator);
    return ['DELETE', desk(`/operator-invitations/${id}`), operator()];
  },
  acceptOperatorInvitation: async () => {
    const { token } = await inviteOperator(studio.service, studio.operator);
    const body = { token, name: 'Mira Okafor', password: goodPassword };
    return ['POST', '/api/auth/operator-invitations/accept', null, body];
  },
  createExamination: () => ['POST', desk('/examinations'), operator()],
  startExport: () => ['POST', desk('/exports/start'), operator(), goodBodies.startExport],
  noteTime: () => move('times', 'queued', goodBodies.noteTime),
  replaceTime: async () => ['PUT', desk(await timePath()), operator(), goodBodies.replaceTime],
  withdrawTime: async () => ['DELETE', desk(await timePath()), operator()],
  setJobAside: async () => ['PUT', desk(`/jobs/${await job('queued')}/set-aside`), operator(), goodBodies.setJobAside],
  endSetAside: async () => {
    const id = await job('queued');
    await setAside(studio, id);
    return ['DELETE', desk(`/jobs/${id}/set-aside`), operator()];
  },
  tickItem: async () => {
    const id = await newJobToCheck(studio, 'running', 'Spelling');
    return ['PUT', desk(`/jobs/${id}/checklist`), operator(), goodBodies.tickItem];
  },
  addNote: () => move('notes', 'queued', goodBodies.addNote),
  claimJob: async () => {
    await newJob(studio.service, studio.key);
    return ['POST', desk('/jobs/claim'), await makeWorker(studio), {}];
  },
  presignDeliverable: () => move('files/presign', 'running', deliverable),
  completeDeliverable: async () => {
    const { body } = await post(
      studio.service,
      operator(),
      desk(`/jobs/${await job('running')}/files/presign`),
      deliverable,
    );
    await put(studio.service, body.upload, bytes);
    return ['POST', desk(`/files/${body.file.id}/complete`), operator()];
  },
  createDeliverablePoster: async () => {
    const video = { content_type: 'video/mp4' };
    const { id } = await newDeliverable(studio.service, operator(), await job('running'), bytes, video);
    return ['POST', desk(`/files/${id}/poster`), operator(), { jpeg: await frame() }];
  },
  downloadJobFile: async () => {
    const file = await newFile(studio.service, studio.key, bytes, { job_id: await job('queued') });
    return ['POST', desk(`/files/${file.id}/download`), operator(), {}];
  },
  createJobArchive: async () => {
    const id = await job('queued');
    await newFile(studio.service, studio.key, bytes, { job_id: id });
    return ['POST', desk(`/jobs/${id}/archive`), operator(), {}];
  },
  updateJob: async () => ['PATCH', `/api/v1/jobs/${await job('queued')}`, studio.key, goodBodies.updateJob],
  sendMessage: () => mine('messages', 'queued', goodBodies.sendMessage),
  withdrawMessage: async () => {
    const id = await job('queued');
    const { body } = await say(studio, id, 'A mistake.');
    return ['POST', `/api/v1/jobs/${id}/messages/${body.message.id}/withdraw`, studio.key];
  },
  sendDeskMessage: () => move('messages', 'running', goodBodies.sendDeskMessage),
  withdrawDeskMessage: async () => {
    const id = await job('running');
    return ['POST', desk(`/jobs/${id}/messages/${await ask(studio, id)}/withdraw`), operator()];
  },
  createSavedView: () => ['POST', desk('/saved-views'), operator(), goodBodies.createSavedView],
  replaceSavedView: async () => [
    'PUT',
    desk(`/saved-views/${await savedView()}`),
    operator(),
    goodBodies.replaceSavedView,
  ],
  deleteSavedView: async () => ['DELETE', desk(`/saved-views/${await savedView()}`), operator()],
  createMacro: () => ['POST', desk('/macros'), operator(), goodBodies.createMacro],
  replaceMacro: async () => ['PUT', desk(`/macros/${await macro()}`), operator(), goodBodies.replaceMacro],
  deleteMacro: async () => ['DELETE', desk(`/macros/${await macro()}`), operator()],
  publishCatalog: async () => [
    'POST',
    desk('/catalog-versions'),
    operator(),
    { ...goodBodies.publishCatalog, expected_version: await newestVersionOf(studio.service) },
  ],
  republishCatalog: async () => [
    'POST',
    desk('/catalog-versions/1/publish'),
    operator(),
    { expected_version: await newestVersionOf(studio.service) },
  ],
  createStudioApp: () => ['POST', desk('/apps'), operator(), goodBodies.createStudioApp],
  endStudioApp: async () => {
    const { body } = await post(studio.service, operator(), desk('/apps'), goodBodies.createStudioApp);
    return ['DELETE', desk(`/apps/${body.app.id}`), operator()];
  },
  createWorkerKey: () => ['POST', desk('/worker-keys'), operator(), { name: 'audited' }],
  createReviewLink: async () => [
    'POST',
    `/api/v1/jobs/${await job('queued')}/review-links`,
    ada(),
    { name: 'audited' },
  ],
  createGuestComment: async () => {
    const { id, file } = await newDelivery(studio);
    const { guest } = await newReviewLink(studio, id, { can_comment: true });
    return ['POST', '/api/v1/review/comments', guest, { name: 'Vera', file_id: file, text: 'Rounder.' }];
  },
  deleteGuestComment: async () => {
    const { id, file } = await newDelivery(studio);
    const { guest } = await newReviewLink(studio, id, { can_comment: true });
    const { body } = await sayAsGuest(studio.service, guest, file, 'Rounder.');
    return ['DELETE', `/api/v1/review/comments/${body.comment.id}`, guest];
  },
  createGuestReply: async () => {
    const { id, file } = await newDelivery(studio);
    const { guest } = await newReviewLink(studio, id, { can_comment: true });
    const { body } = await comment(studio, { id, file }, 'Rounder.');
    return ['POST', `/api/v1/review/comments/${body.comment.id}/replies`, guest, { name: 'Vera', text: 'Blue, too.' }];
  },
  deleteGuestReply: async () => {
    const { id, file } = await newDelivery(studio);
    const { guest } = await newReviewLink(studio, id, { can_comment: true });
    const { body } = await sayAsGuest(studio.service, guest, file, 'Rounder.');
    const replied = await replyAsGuest(studio.service, guest, body.comment.id, 'Blue, too.');
    return [
      'DELETE',
      `/api/v1/review/comments/${body.comment.id}/replies/${replied.body.comment.replies[0].id}`,
      guest,
    ];
  },
  revokeReviewLink: async () => {
    const link = await newReviewLink(studio, await job('queued'));
    return ['POST', `/api/v1/jobs/${link.id}/review-links/${link.review_link_id}/revoke`, ada()];
  },
  createShowLink: async () => [
    'POST',
    '/api/v1/show-links',
    ada(),
    { name: 'audited', job_ids: [(await finishJob(studio, 'work.txt')).job] },
  ],
  revokeShowLink: async () => {
    const { body } = await newShowLink(studio, { job_ids: [(await finishJob(studio, 'work.txt')).job] });
    return ['POST', `/api/v1/show-links/${body.show_link.id}/revoke`, ada()];
  },
  keepJobFiles: async () => ['POST', `/api/v1/jobs/${(await finishJob(studio, 'work.txt')).job}/keep`, ada()],
  createWebhookEndpoint: () => ['POST', hooks, ada(), goodBodies.createWebhookEndpoint],
  updateWebhookEndpoint: async () => ['PATCH', `${hooks}/${await newHook()}`, ada(), { description: 'audited' }],
  deleteWebhookEndpoint: async () => ['DELETE', `${hooks}/${await newHook()}`, ada()],
  rotateWebhookSecret: async () => ['POST', `${hooks}/${await newHook()}/rotate-secret`, ada(), {}],
  testWebhookEndpoint: async () => ['POST', `${hooks}/${await newHook()}/test`, ada()],
  replayWebhookEvents: async () => ['POST', `${hooks}/${await newHook()}/replay`, ada(), { after: 0 }],
  redeliverWebhook: async () => {
    const { body } = await post(studio.service, ada(), `${hooks}/${await newHook()}/test`);
    return ['POST', `/api/v1/webhook-deliveries/${body.webhook_delivery.id}/redeliver`, ada()];
  },
  deleteWorkerKey: async () => {
    const { body } = await post(studio.service, operator(), desk('/worker-keys'), { name: 'audited' });
    return ['DELETE', desk(`/worker-keys/${body.worker_key.id}`), operator()];
  },
};

describe('every operation that changes something has an audit entry that says who did it', () => {
  test.each(writes.map(({ operationId }) => operationId).filter((id) => !silent.includes(id)))(
    '%s',
    async (operationId) => {
      const way = ways[operationId];
      expect(way, `test/sweeps/audit.test.ts does not say how ${operationId} succeeds`).toBeDefined();
      const [method, path, as, body] = await way!();
      const headers = { 'x-request-id': `audit-${operationId}` };
      const done: Got = await studio.service.call(method, path, {
        as,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
      const [log, reader] = ofAccountOnly.includes(operationId)
        ? ['/api/v1/audit', ada()]
        : [desk('/audit'), operator()];
      const { body: found } = await studio.service.call('GET', `${log}?request_id=audit-${operationId}`, {
        as: reader,
      });
      expect(found.audit_entries.length).toBeGreaterThan(0);
      for (const entry of found.audit_entries)
        expect(entry).toMatchObject({
          created_by: byGuests.includes(operationId) ? null : expect.anything(),
          address: isOfMaker(operationId, entry.action) ? null : expect.any(String),
        });
    },
  );
});

test('an event of the payment provider is audited under the provider and its address', async () => {
  await sendEvent(studio.service, { id: 'evt_audited', type: 'invoice.paid', livemode: false });
  const { body } = await studio.service.call('GET', desk('/audit?subject=evt_audited'), { as: operator() });
  expect(body.audit_entries).toMatchObject([
    { action: 'provider_event.ignored', actor: 'provider', created_by: null, address: expect.any(String) },
  ]);
});

test('moves of a worker are audited under its key, one by one', async () => {
  const worker = await makeWorker(studio);
  await newJob(studio.service, studio.key);
  const { body: claimed } = await claim(studio, worker);
  const path = desk(`/jobs/${claimed.job.id}`);
  const { token: lease_token } = claimed.lease;
  await post(studio.service, worker, `${path}/start`, { lease_token });
  await post(studio.service, worker, `${path}/submit`, { lease_token, message: 'Done.' });
  const { body } = await studio.service.call('GET', desk(`/audit?subject=${claimed.job.id}&actor=worker`), {
    as: operator(),
  });
  expect(body.audit_entries.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['job.claimed', 'job.started', 'job.submitted']),
  );
  for (const entry of body.audit_entries) expect(entry.created_by).toMatchObject({ kind: 'worker_key', name: 'robot' });
});

test('changes of a sign-in are audited as those of an operator or a customer', async () => {
  const { email, token } = await makeOperator(studio.service);
  await signIn(studio.service, email);
  await studio.service.call('PATCH', '/api/auth/profile', { as: token, body: { name: 'Mira Okafor' } });
  await post(studio.service, token, '/api/auth/accounts', { name: 'A shop of her own' });
  const { body } = await studio.service.call('GET', desk('/audit?actor=operator'), { as: operator() });
  const acts = async (actor: string, of: string) => {
    const found = await studio.service.call('GET', desk(`/audit?limit=100&actor=${actor}&created_by=${of}`), {
      as: operator(),
    });
    return found.body.audit_entries.map(({ action }: { action: string }) => action);
  };
  const { created_by: by } = body.audit_entries.find(({ action }: { action: string }) => action === 'user.renamed');
  expect(await acts('operator', by.id)).toEqual(expect.arrayContaining(['user.renamed', 'session.created']));
  // In an account an operator is one of its people.
  expect(await acts('customer', by.id)).toEqual(expect.arrayContaining(['account.opened']));
  expect(await acts('operator', showId('user', studio.ada.userId))).toEqual([]);
  expect(await acts('customer', showId('user', studio.ada.userId))).toContain('session.created');
});

test('no entry holds a secret or a customer’s words', async () => {
  await claim(studio, await makeWorker(studio));
  const { body } = await studio.service.call('GET', desk('/audit'), {
    as: operator(),
    headers: { accept: 'application/x-ndjson' },
  });
  // The title of a job is read with the entry and is not stored in it.
  const stored = body.replaceAll(/"subject_name":"[^"]*"/g, '');
  for (const text of [
    studio.key,
    studio.ada.token,
    studio.ada.email,
    'A round sign',
    'Logo for a',
    'internal note',
    goodPassword,
  ])
    expect(stored).not.toContain(text);
});

test('every action has its place in the code', () => {
  const root = join(import.meta.dirname, '../../server');
  const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  const computed = ['provider_event.processed', 'provider_event.ignored'];
  const unused = Object.keys(auditActions).filter(
    (action) => !computed.includes(action) && !code.includes(`'${action}'`),
  );
  expect(unused).toEqual([]);
});
