import { randomUUID } from 'node:crypto';
import { newestVersionOf } from './catalog.ts';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { addMaker, newOrder } from './orders.ts';
import { addImportedPerson } from './imports.ts';
import { showId } from '../../server/lib/id.ts';
import { dueIn, goodBodies, type World } from './every-endpoint.ts';
import { newDeliverable, newFile, newUploadPage } from './files.ts';
import { openSession, readySession } from './intake.ts';
import { draft, newJobIn, post } from './jobs.ts';
import { comment, newDelivery, newRevision } from './review.ts';
import { inviteOperator } from './operators.ts';
import { addMember, mailedToken, signUp } from './people.ts';
import { ask as askCustomer, say } from './talk.ts';
import type { As } from './harness.ts';
import { frame } from './pictures.ts';
import { adjustmentFor } from './quota.ts';
import { finishJob, newShowLink } from './library.ts';
import { deliverFiles, newReviewLink } from './review-links.ts';
import { letStudioOrder } from './studio-orders.ts';
import { lonelyJob, makeWorker } from './workers.ts';

/**
 * A request that succeeds: who sends it, about what (`more` has the other ids of its path), and another body
 * that the same key must refuse.
 */
export type Scene = { as: As; id?: string; more?: Record<string, string>; body?: object; other?: object };
type Scenes = Record<string, (world: World) => Scene | Promise<Scene>>;

const inStatus =
  (status: Parameters<typeof newJobIn>[1], by: 'key' | 'operator', body?: object, other?: object) =>
  async (world: World): Promise<Scene> => ({
    as: by === 'key' ? world.key : world.operator.token,
    id: await newJobIn(world, status),
    ...(body ? { body } : {}),
    ...(other ? { other } : {}),
  });

const withHook =
  (prefix: 'hook' | 'dlv', body?: object, other?: object) =>
  ({ ada, ids }: World): Scene => ({
    as: ada.token,
    id: ids[prefix] ?? '',
    ...(body ? { body } : {}),
    ...(other ? { other } : {}),
  });

async function invited({ service, ada }: World): Promise<Scene> {
  const guest = await signUp(service);
  const { body } = await post(service, ada.token, '/api/auth/invitations', { email: guest.email, role: 'member' });
  return { as: guest.token, id: body.invitation.id };
}

/** For each endpoint that remembers an Idempotency-Key. */
export const remembered: Scenes = {
  approveJob: inStatus('ready_for_customer_review', 'key'),
  cancelJob: inStatus('queued', 'key'),
  requestRevision: inStatus(
    'ready_for_customer_review',
    'key',
    { customer_instructions: 'Rounder.' },
    { customer_instructions: 'Flatter.' },
  ),
  createComment: async (world) => {
    const { id, file } = await newDelivery(world);
    return { as: world.key, id, body: { file_id: file, text: 'One.' }, other: { file_id: file, text: 'Two.' } };
  },
  updateComment: async (world) => {
    const delivery = await newDelivery(world);
    const { body } = await comment(world, delivery, 'One.');
    const more = { comment_id: body.comment.id };
    return { as: world.key, id: delivery.id, more, body: { text: 'Two.' }, other: { text: 'Three.' } };
  },
  createReply: async (world) => {
    const delivery = await newDelivery(world);
    const { body } = await comment(world, delivery, 'One.');
    const more = { comment_id: body.comment.id };
    return { as: world.key, id: delivery.id, more, body: { text: 'Two.' }, other: { text: 'Three.' } };
  },
  createGuestReply: async (world) => {
    const delivery = await newDelivery(world);
    const { guest } = await newReviewLink(world, delivery.id, { can_comment: true });
    const { body } = await comment(world, delivery, 'One.');
    const said = { name: 'Vera', text: 'Two.' };
    return { as: guest, id: body.comment.id, body: said, other: { ...said, name: 'Otto' } };
  },
  askToLook: async (world) => {
    const { id } = await newDelivery(world);
    const colleague = await addMember(world.service, world.ada, 'member');
    const bodyFor = ({ userId }: { userId: string }) => ({ user_id: showId('user', userId) });
    return { as: world.ada.token, id, body: bodyFor(colleague), other: bodyFor(world.member) };
  },
  createGuestComment: async (world) => {
    const { id, file } = await newDelivery(world);
    const { guest } = await newReviewLink(world, id, { can_comment: true });
    const body = { name: 'Vera', file_id: file, text: 'One.' };
    return { as: guest, body, other: { ...body, name: 'Otto' } };
  },
  completeComment: async (world) => {
    const { id, comments } = await newRevision(world, 'One.');
    const as = world.operator.token;
    return { as, id, more: { comment_id: comments[0]! }, body: { note: 'Done.' }, other: { note: 'Not done.' } };
  },
  reopenComment: async (world) => {
    const { id, comments } = await newRevision(world, 'One.');
    const more = { comment_id: comments[0]! };
    return { as: world.operator.token, id, more, body: {}, other: { lease_token: randomUUID() } };
  },
  updateJob: inStatus('queued', 'key', { reference: 'PO-1' }, { reference: 'PO-2' }),
  createJob: ({ key }) => ({ as: key, body: draft, other: { ...draft, customer_title: 'Another logo' } }),
  presignUpload: ({ key }) => ({
    as: key,
    body: goodBodies.presignUpload!,
    other: { ...goodBodies.presignUpload, size_bytes: 6 },
  }),
  createTextFile: ({ key }) => ({
    as: key,
    body: goodBodies.createTextFile!,
    other: { ...goodBodies.createTextFile, text: 'Light green and cream.' },
  }),
  copyFile: async ({ service, key }) => ({ as: key, id: (await newFile(service, key, bytes)).id }),
  createTemplate: ({ key }) => ({
    as: key,
    body: { name: randomUUID(), service_family: 'design' },
    other: { name: randomUUID(), service_family: 'design' },
  }),
  openIntake: ({ key }) => ({
    as: key,
    body: { service_family: 'design' },
    other: { service_family: 'design', service_type: 'logo' },
  }),
  addMessage: async ({ service, key }) => ({
    as: key,
    id: (await openSession(service, key)).id,
    body: { content: 'A logo, please.' },
    other: { content: 'A poster, please.' },
  }),
  confirmBrief: async ({ service, key }) => ({
    as: key,
    id: (await readySession(service, key)).id,
    body: {},
    other: { brief_version: 1 },
  }),
  createApiKey: ({ ada }) => ({ as: ada.token, body: { name: 'agent' }, other: { name: 'another agent' } }),
  rotateApiKey: async ({ service, ada }) => {
    const { body } = await post(service, ada.token, '/api/v1/api-keys', { name: 'agent' });
    return { as: ada.token, id: body.api_key.id, body: {}, other: { overlap_hours: 1 } };
  },
  createReviewLink: ({ key, ids }) => ({
    as: key,
    id: ids.job ?? '',
    body: { name: 'Marketing' },
    other: { name: 'Board' },
  }),
  createShowLink: async (world) => {
    const { job } = await finishJob(world, 'work.txt');
    const body = { name: 'Our printer', job_ids: [job] };
    return { as: world.key, body, other: { ...body, name: 'Board' } };
  },
  createWebhookEndpoint: ({ ada }) => ({
    as: ada.token,
    body: { url: 'https://hooks.example.com/one' },
    other: { url: 'https://hooks.example.com/two' },
  }),
  updateWebhookEndpoint: withHook('hook', { description: 'Ours' }, { description: 'Yours' }),
  rotateWebhookSecret: withHook('hook', {}, { overlap_hours: 1 }),
  replayWebhookEvents: withHook('hook', { after: 0 }, { after: 1 }),
  testWebhookEndpoint: withHook('hook'),
  redeliverWebhook: withHook('dlv'),
  startCheckout: async ({ service }) => {
    await verifyPrices(service.context);
    const { token } = await signUp(service);
    return { as: token, body: { plan_code: 'solo' }, other: { plan_code: 'agent' } };
  },
  reviewEvent: ({ operator, ids }) => ({ as: operator.token, id: ids.evt ?? '' }),
  createSavedView: ({ operator }) => ({
    as: operator.token,
    body: goodBodies.createSavedView!,
    other: { ...goodBodies.createSavedView, name: randomUUID() },
  }),
  createMacro: ({ operator }) => ({
    as: operator.token,
    body: { name: randomUUID(), text: 'One.' },
    other: { name: randomUUID(), text: 'Two.' },
  }),
  createExamination: ({ operator }) => ({ as: operator.token }),
  startExport: ({ operator }) => ({ as: operator.token, body: { list: 'jobs' }, other: { list: 'accounts' } }),
  publishCatalog: async ({ service, operator }) => {
    const expected_version = await newestVersionOf(service);
    const { documents } = goodBodies.publishCatalog as { documents: object[] };
    return {
      as: operator.token,
      body: { documents, expected_version },
      other: { documents, expected_version, note: 'Another.' },
    };
  },
  republishCatalog: async ({ service, operator }) => {
    const expected_version = await newestVersionOf(service);
    return {
      as: operator.token,
      more: { number: '1' },
      body: { expected_version },
      other: { expected_version, note: 'Another.' },
    };
  },
  createStudioApp: ({ operator }) => ({
    as: operator.token,
    body: goodBodies.createStudioApp,
    other: { name: 'Another', redirect_uris: ['https://app.example/callback'] },
  }),
  createWorkerKey: ({ operator }) => ({ as: operator.token, body: { name: 'robot' }, other: { name: 'another' } }),
  inviteMember: ({ ada }) => {
    const email = `${randomUUID()}@example.com`;
    return { as: ada.token, body: { email, role: 'member' }, other: { email, role: 'admin' } };
  },
  inviteOperator: ({ operator }) => {
    const email = `${randomUUID()}@example.com`;
    return { as: operator.token, body: { email, role: 'maker' }, other: { email, role: 'lead' } };
  },
  acceptInvitation: async (world) => ({ ...(await invited(world)), body: {}, other: { token: 'another' } }),
  declineInvitation: invited,
  changeMemberRole: async ({ service, ada }) => {
    const { memberId } = await addMember(service, ada, 'member');
    return { as: ada.token, id: showId('mem', memberId), body: { role: 'admin' }, other: { role: 'member' } };
  },
  confirmOrder: async ({ service, ada }) => {
    const id = await newOrder(service, await addMaker(service, ada));
    return { as: ada.token, id, body: { version: 1 }, other: { version: 2 } };
  },
  declineOrder: async ({ service, ada }) => {
    const id = await newOrder(service, await addMaker(service, ada));
    return { as: ada.token, id, body: { words: 'Not now.' }, other: { words: 'Never.' } };
  },
  leaveAccount: async ({ service, ada }) => {
    const { token, accountId } = await addMember(service, ada, 'member');
    return { as: token, id: showId('acct', accountId) };
  },
  openAccount: async ({ service }) => {
    const { token } = await signUp(service);
    return { as: token, body: { name: 'Rise Bakery' }, other: { name: 'Fall Bakery' } };
  },
  renameAccount: ({ ada }) => ({ as: ada.token, body: { name: 'Rise Bakery' }, other: { name: 'Fall Bakery' } }),
  changeProfile: ({ ada }) => ({ as: ada.token, body: { name: 'Ada' }, other: { name: 'Grace' } }),
  acceptJob: inStatus('queued', 'operator'),
  startJob: inStatus('accepted', 'operator', {}, { lease_token: randomUUID() }),
  submitJob: inStatus('running', 'operator', { message: 'Done.' }, { message: 'Not done.' }),
  passJob: inStatus('needs_review', 'operator'),
  returnJob: inStatus('needs_review', 'operator', { note: 'Not yet.' }, { note: 'Never.' }),
  rejectJob: inStatus('queued', 'operator', { code: 'other', message: 'No.' }, { code: 'other', message: 'Yes.' }),
  releaseJob: inStatus('accepted', 'operator', {}, { lease_token: randomUUID() }),
  addNote: inStatus('queued', 'operator', { body: 'One.' }, { body: 'Two.' }),
  noteTime: inStatus('queued', 'operator', goodBodies.noteTime, { ...goodBodies.noteTime, minutes: 30 }),
  presignDeliverable: inStatus('running', 'operator', goodBodies.presignDeliverable, {
    ...goodBodies.presignDeliverable,
    size_bytes: 6,
  }),
  updateOperator: ({ operator }) => ({
    as: operator.token,
    id: showId('user', operator.userId),
    body: { held_limit: 20 },
    other: { held_limit: 30 },
  }),
  holdJob: async (world) => ({
    ...(await inStatus('accepted', 'operator')(world)),
    body: {},
    other: { operator_id: showId('user', world.operator.userId) },
  }),
  rescheduleJob: inStatus('running', 'operator', goodBodies.rescheduleJob, {
    ...goodBodies.rescheduleJob,
    due_at: dueIn(4),
  }),
  inviteImportedPeople: async ({ service, operator }) => {
    const { accountId } = await signUp(service);
    await addImportedPerson(service, accountId);
    const other = { person_ids: ['user_01jd3vsh8xe7rtx1zqbdnzc4v0'] };
    return { as: operator.token, id: showId('acct', accountId), body: {}, other };
  },
  orderForAccount: async ({ service, operator, ada }) => {
    await letStudioOrder(service, ada);
    const other = { ...draft, customer_title: 'Another logo' };
    return { as: operator.token, id: showId('acct', ada.accountId), body: draft, other };
  },
  createQuotaAdjustment: async ({ service, operator, ada }) => ({
    as: operator.token,
    id: showId('acct', ada.accountId),
    body: await adjustmentFor({ service, operator }, ada, 1),
    other: await adjustmentFor({ service, operator }, ada, 2),
  }),
  sendMessage: inStatus('queued', 'key', goodBodies.sendMessage, { text: 'Another colour.' }),
  withdrawMessage: async (world) => {
    const id = await newJobIn(world, 'queued');
    const { body } = await say(world, id, 'A mistake.');
    return { as: world.key, id, more: { message_id: body.message.id } };
  },
  sendDeskMessage: inStatus('running', 'operator', goodBodies.sendDeskMessage, { text: 'Which?', question: true }),
  withdrawDeskMessage: async (world) => {
    const id = await newJobIn(world, 'running');
    const more = { message_id: await askCustomer(world, id) };
    return { as: world.operator.token, id, more, body: {}, other: { lease_token: randomUUID() } };
  },
  createPoster: async ({ service, key }) => {
    const { id } = await newFile(service, key, Buffer.from('\0\0\0\x0cftypfilm'), { content_type: 'video/mp4' });
    return { as: key, id, body: { jpeg: await frame() }, other: { jpeg: await frame(90, 90) } };
  },
  createDeliverablePoster: async (world) => {
    const job = await newJobIn(world, 'running');
    const video = { content_type: 'video/mp4' };
    const { id } = await newDeliverable(
      world.service,
      world.operator.token,
      job,
      Buffer.from('\0\0\0\x0cftypfilm'),
      video,
    );
    return { as: world.operator.token, id, body: { jpeg: await frame() }, other: { jpeg: await frame(90, 90) } };
  },
  claimJob: async (world) => {
    const service_families = [(await lonelyJob(world)).family];
    return { as: await makeWorker(world), body: { service_families }, other: { service_families, lease_seconds: 60 } };
  },
};

const bytes = Buffer.from('hello');

/** For each endpoint whose repeat changes nothing by itself. */
export const byNature: Scenes = {
  checkIntent: () => ({ as: null, body: draft }),
  preflightJob: ({ key }) => ({ as: key, body: draft }),
  checkCatalog: ({ operator }) => ({ as: operator.token, body: goodBodies.checkCatalog ?? {} }),
  chooseNotifications: ({ ada }) => ({ as: ada.token, body: { kinds: ['plan'], mail: 'daily' } }),
  readNotification: ({ ada, ids }) => ({ as: ada.token, id: ids.ntf ?? '', body: {} }),
  readJobNotifications: ({ ada, ids }) => ({ as: ada.token, body: { job_id: ids.job ?? '' } }),
  completeUpload: async ({ service, key }) => ({ as: key, id: (await newFile(service, key, bytes)).id }),
  createDownload: ({ key, ids }) => ({ as: key, id: ids.file ?? '' }),
  answerIntake: async ({ service, key }) => ({
    as: key,
    id: (await openSession(service, key)).id,
    body: { requirement: 'Brand name', answer: 'Rise' },
  }),
  updateIntake: async ({ service, key }) => ({
    as: key,
    id: (await openSession(service, key)).id,
    body: { wanted_by: '2999-01-15T12:00:00Z' },
  }),
  closeIntake: async ({ service, key }) => ({ as: key, id: (await openSession(service, key)).id }),
  completeDeliverable: async (world) => {
    const job = await newJobIn(world, 'running');
    const { id } = await newDeliverable(world.service, world.operator.token, job, bytes);
    return { as: world.operator.token, id };
  },
  downloadJobFile: async (world) => {
    const job = await newJobIn(world, 'running');
    const { id } = await newDeliverable(world.service, world.operator.token, job, bytes);
    return { as: world.operator.token, id, body: {} };
  },
  revokeReviewLink: async (world) => {
    const { id, review_link_id } = await newReviewLink(world, await newJobIn(world, 'queued'));
    return { as: world.key, id, more: { review_link_id } };
  },
  downloadReviewFile: async (world) => {
    const { job, files } = await deliverFiles(world, 'work.txt');
    const { guest } = await newReviewLink(world, job);
    return { as: guest, id: files[0] ?? '' };
  },
  createLibraryArchive: async (world) => ({
    as: world.key,
    body: { job_ids: [(await finishJob(world, 'work.txt')).job] },
  }),
  keepJobFiles: async (world) => ({ as: world.ada.token, id: (await finishJob(world, 'work.txt')).job }),
  revokeShowLink: async (world) => {
    const { job } = await finishJob(world, 'work.txt');
    const { body } = await newShowLink(world, { job_ids: [job] });
    return { as: world.key, id: body.show_link.id };
  },
  createArchive: async (world) => ({ as: world.key, id: (await deliverFiles(world, 'work.txt')).job, body: {} }),
  createJobArchive: async (world) => ({
    as: world.operator.token,
    id: (await deliverFiles(world, 'work.txt')).job,
    body: {},
  }),
  createReviewArchive: async (world) => {
    const { job } = await deliverFiles(world, 'work.txt');
    return { as: (await newReviewLink(world, job)).guest, body: {} };
  },
  suspendAccount: async ({ service, operator }) => ({
    as: operator.token,
    id: showId('acct', (await signUp(service)).accountId),
    body: goodBodies.suspendAccount,
  }),
  reopenAccount: async ({ service, operator }) => {
    const id = showId('acct', (await signUp(service)).accountId);
    await post(service, operator.token, `/api/operator/v1/accounts/${id}/suspend`, goodBodies.suspendAccount);
    return { as: operator.token, id };
  },
  readUploadPage: async ({ service, key }) => ({
    as: null,
    body: { token: (await newUploadPage(service, key)).token },
  }),
  startPageUpload: async ({ service, key }) => ({
    as: null,
    body: { ...goodBodies.startPageUpload, token: (await newUploadPage(service, key)).token },
  }),
  readMailedInvitation: async (world) => {
    const email = `${randomUUID()}@example.com`;
    await post(world.service, world.ada.token, '/api/auth/invitations', { email, role: 'member' });
    return { as: null, body: { token: mailedToken(world.service, email, 'You are invited') } };
  },
  readMailedOperatorInvitation: async ({ service, operator }) => ({
    as: null,
    body: { token: (await inviteOperator(service, operator)).token },
  }),
};
