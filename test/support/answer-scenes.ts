import { randomUUID } from 'node:crypto';
import { showId } from '../../server/lib/id.ts';
import { addSecondFactor, authenticatorOf } from './authenticator.ts';
import { insertGrant, postForm } from './apps.ts';
import { goodBodies, type World } from './every-endpoint.ts';
import { newFile, newUploadPage, sendByPage } from './files.ts';
import { addImportedPerson } from './imports.ts';
import { newJobIn, post } from './jobs.ts';
import { finishJob, newShowLink } from './library.ts';
import { newJobToCheck, newTime } from './makers-hours.ts';
import { mailsTo, sendMails } from './notifications.ts';
import { inviteOperator } from './operators.ts';
import { addMember, goodPassword, mailedToken, makeOperator, newSession, signUp } from './people.ts';
import { grant } from './plans.ts';
import { comment, newDelivery, newRevision, reply } from './review.ts';
import { newReviewLink, replyAsGuest, sayAsGuest } from './review-links.ts';
import type { Scene } from './scenes.ts';
import { leasedJob, makeWorker } from './workers.ts';

/**
 * Requests that succeed, for operations without an Idempotency-Key, and for reads of what `createWorld` does
 * not make, or with another credential.
 */
export const otherScenes: Record<string, (world: World) => AnswerScene | Promise<AnswerScene>> = {
  signUp: () => ({ as: null, body: goodBodies.signUp }),
  signIn: async ({ service }) => ({
    as: null,
    body: { email: (await signUp(service)).email, password: goodPassword },
  }),
  confirmEmailChange: async ({ service }) => {
    const { token } = await signUp(service);
    const email = `${randomUUID()}@example.com`;
    await service.call('POST', '/api/auth/change-email', { as: token, body: { email, password: goodPassword } });
    return { as: token, body: { token: mailedToken(service, email, 'Confirm') } };
  },
  endSession: async ({ service, ada }) => ({
    as: ada.token,
    id: showId('sess', (await newSession(service, ada)).sessionId),
  }),
  startSecondFactor: async ({ service }) => ({ as: (await signUp(service)).token, body: { password: goodPassword } }),
  confirmSecondFactor: async ({ service }) => {
    const { token } = await signUp(service);
    const { body } = await post(service, token, '/api/auth/second-factor/start', { password: goodPassword });
    return { as: token, body: { code: authenticatorOf(body.otpauth_url)() } };
  },
  endSecondFactor: async ({ service }) => {
    const person = await signUp(service);
    const { phone, token } = await addSecondFactor(service, person);
    return { as: token, body: { password: goodPassword, code: phone(1) } };
  },
  setJobAside: async (world) => ({
    as: world.operator.token,
    id: await newJobIn(world, 'queued'),
    body: goodBodies.setJobAside,
  }),
  endSetAside: async (world) => ({ as: world.operator.token, id: await newJobIn(world, 'queued') }),
  tickItem: async (world) => ({
    as: world.operator.token,
    id: await newJobToCheck(world, 'running', 'Every name is spelled as in the brief', 'Bleed of 3 mm'),
    body: goodBodies.tickItem,
  }),
  replaceTime: async (world) => {
    const id = await newJobIn(world, 'running');
    return { as: world.operator.token, id, more: { time_id: await newTime(world, id) }, body: goodBodies.replaceTime };
  },
  withdrawTime: async (world) => {
    const id = await newJobIn(world, 'running');
    return { as: world.operator.token, id, more: { time_id: await newTime(world, id) } };
  },
  removeImportedPerson: async ({ service, operator }) => {
    const { accountId } = await signUp(service);
    const more = { person_id: await addImportedPerson(service, accountId) };
    return { as: operator.token, id: showId('acct', accountId), more };
  },
  closeAccount: async ({ service }) => ({ as: (await signUp(service)).token, body: { password: goodPassword } }),
  switchAccount: ({ ada }) => ({ as: ada.token, id: showId('acct', ada.accountId) }),
  removeMember: async ({ service, ada }) => ({
    as: ada.token,
    id: showId('mem', (await addMember(service, ada, 'member')).memberId),
  }),
  listMyInvitations: async (world) => ({ as: (await invitee(world)).token }),
  readInvitation: async (world) => {
    const { token, id } = await invitee(world);
    return { as: token, id };
  },
  decideConnection: async (world) => ({
    as: world.ada.token,
    body: { request: await connectionOf(world), allow: false },
  }),
  readDevice: async ({ service, ada }) => ({ as: ada.token, query: `?code=${await deviceCode(service)}` }),
  listConnectedApps: async ({ service, ada }) => {
    await insertGrant(service, ada);
    return { as: ada.token };
  },
  deleteApiKey: async ({ service, ada }) => {
    const { body } = await post(service, ada.token, '/api/v1/api-keys', { name: 'agent' });
    return { as: ada.token, id: body.api_key.id };
  },
  endConnectedApp: async ({ service, ada }) => ({ as: ada.token, id: await insertGrant(service, ada) }),
  endMyConnectedApp: async ({ service, ada }) => ({ as: ada.token, id: await insertGrant(service, ada) }),
  unsubscribe: async ({ service, ada }) => {
    await sendMails(service);
    const mails = mailsTo(service, ada).map(({ text }) => /\/unsubscribe\?token=(\S+)/.exec(text)?.[1]);
    return { as: null, body: { token: mails.find(Boolean) } };
  },
  deleteComment: async (world) => {
    const delivery = await newDelivery(world);
    const { body } = await comment(world, delivery, 'Rounder.');
    return { as: world.key, id: delivery.id, more: { comment_id: body.comment.id } };
  },
  deleteReply: async (world) => {
    const delivery = await newDelivery(world);
    const comment_id: string = (await comment(world, delivery, 'Rounder.')).body.comment.id;
    const { body } = await reply(world, delivery.id, comment_id, 'Blue, too.');
    return { as: world.key, id: delivery.id, more: { comment_id, reply_id: body.comment.replies[0].id } };
  },
  settleComment: async (world) => {
    const delivery = await newDelivery(world);
    const { body } = await comment(world, delivery, 'Rounder.');
    return { as: world.key, id: delivery.id, more: { comment_id: body.comment.id }, body: goodBodies.settleComment };
  },
  deleteGuestReply: async (world) => {
    const { guest, comment_id } = await guestOf(world);
    const { body } = await replyAsGuest(world.service, guest, comment_id, 'Blue, too.');
    return { as: guest, id: comment_id, more: { reply_id: body.comment.replies[0].id } };
  },
  lookAtReview: ({ ada, ids }) => ({ as: ada.token, id: ids.job!, body: goodBodies.lookAtReview }),
  lookAsGuest: async (world) => ({ as: (await guestOf(world)).guest, body: goodBodies.lookAsGuest }),
  listComments: async (world) => ({ as: world.key, id: (await newRevision(world, 'Rounder.')).id }),
  listDeskComments: async (world) => ({ as: world.operator.token, id: (await newRevision(world, 'Rounder.')).id }),
  readReview: async (world) => ({ as: (await guestOf(world)).guest }),
  listLibrary: async (world) => {
    await finishJob(world, 'rise-mark.txt');
    return { as: world.key };
  },
  listShowLinks: async (world) => {
    await newShowLink(world, { job_ids: [(await finishJob(world, 'rise-mark.txt')).job] });
    return { as: world.key };
  },
  listGuestComments: async (world) => ({ as: (await guestOf(world)).guest }),
  deleteGuestComment: async (world) => {
    const { guest, comment_id } = await guestOf(world);
    return { as: guest, id: comment_id };
  },
  followJob: ({ ada, ids }) => ({ as: ada.token, id: ids.job!, body: goodBodies.followJob }),
  readMessages: ({ ada, ids }) => ({ as: ada.token, id: ids.job!, body: { message_id: ids.msg } }),
  followDeskJob: ({ operator, ids }) => ({ as: operator.token, id: ids.job!, body: goodBodies.followDeskJob }),
  readDeskMessages: ({ operator, ids }) => ({ as: operator.token, id: ids.job!, body: { message_id: ids.msg } }),
  completePageUpload: async ({ service, key }) => {
    const { token } = await newUploadPage(service, key);
    await sendByPage(service, token, Buffer.from('hello'));
    return { as: null, body: { token } };
  },
  deleteFile: async ({ service, key }) => ({ as: key, id: (await newFile(service, key, Buffer.from('hello'))).id }),
  replaceTemplate: ({ key, ids }) => ({ as: key, id: ids.tpl!, body: goodBodies.replaceTemplate }),
  startPortal: async ({ service }) => {
    const person = await signUp(service);
    await grant(service, person, 'solo');
    return { as: person.token };
  },
  viewJob: ({ operator, ids }) => ({ as: operator.token, id: ids.job!, body: goodBodies.viewJob }),
  heartbeatLease: async (world) => {
    const as = await makeWorker(world);
    const { id, token } = await leasedJob(world, as);
    return { as, id, body: { lease_token: token } };
  },
  saveDeliveryDraft: async (world) => ({
    as: world.operator.token,
    id: await newJobIn(world, 'running'),
    body: goodBodies.saveDeliveryDraft,
  }),
  removeOperator: async ({ service, operator }) => ({
    as: operator.token,
    id: showId('user', (await makeOperator(service, 'maker')).userId),
  }),
  acceptOperatorInvitation: async ({ service, operator }) => {
    const { token, email } = await inviteOperator(service, operator);
    await signUp(service, 'Mira', email);
    return { as: null, body: { token, password: goodPassword } };
  },
  replaceMacro: ({ operator, ids }) => ({ as: operator.token, id: ids.mac!, body: goodBodies.replaceMacro }),
  streamEvents: ({ key }) => ({ as: key, query: '?after=0' }),
  readCatalogVersion: ({ operator }) => ({ as: operator.token, more: { number: '1' } }),
};

export type AnswerScene = Omit<Scene, 'body'> & { body?: object | undefined; query?: string };

async function invitee({ service, ada }: World) {
  const { token, email } = await signUp(service);
  const { body } = await post(service, ada.token, '/api/auth/invitations', { email, role: 'member' });
  return { token, id: body.invitation.id as string };
}

async function guestOf(world: World) {
  const { id, file } = await newDelivery(world);
  const { guest } = await newReviewLink(world, id, { can_comment: true });
  const { body } = await sayAsGuest(world.service, guest, file, 'Rounder.');
  return { guest, comment_id: body.comment.id as string };
}

const deviceCode = async (service: World['service']) =>
  (await postForm(service, '/device/code', { client_id: 'atelier-cli' })).body.user_code;

async function connectionOf({ service, ada }: World): Promise<string> {
  const code = await deviceCode(service);
  return (await service.call('GET', `/api/auth/device?code=${code}`, { as: ada.token })).body.request;
}
