import { documentsIn } from './catalog.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Endpoint, isSignedIn } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import type { Db } from '../../server/db/pool.ts';
import { readId, showId } from '../../server/lib/id.ts';
import { newFile } from './files.ts';
import { draft, newCustomer, newJob, createStudio, post, type Studio } from './jobs.ts';
import { addMaker, newOrder } from './orders.ts';
import { sayAtDesk } from './talk.ts';
import { addMember, makeKey, type TestPerson } from './people.ts';
import type { As, Got, RequestOptions, Service } from './harness.ts';

const nothing = '01jd3vsh8xe7rtx1zqbdnzc4v0';

/** So many days from now. */
export const dueIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

export const today = (): string => new Date().toISOString().slice(0, 10);

/** A valid body for each operation, from which the sweeps start. Add one for every new route with a body. */
export const goodBodies: Record<string, object> = {
  signUp: { name: 'Grace Hopper', email: 'grace@example.com', password: 'correct horse battery' },
  signIn: { email: 'grace@example.com', password: 'correct horse battery' },
  requestPasswordReset: { email: 'grace@example.com' },
  resetPassword: { token: 'a-token', new_password: 'correct horse battery' },
  verifyEmail: { token: 'a-token' },
  changePassword: { current_password: 'a password', new_password: 'correct horse battery' },
  changeProfile: { name: 'Grace Hopper' },
  changeEmail: { email: 'grace@example.com', password: 'a password' },
  confirmEmailChange: { token: 'a-token' },
  undoChange: { token: 'a-token' },
  readNotification: {},
  readJobNotifications: { job_id: 'job_01jd3vsh8xe7rtx1zqbdnzc4v0' },
  createCalendar: { with_titles: true },
  chooseNotifications: { kinds: ['message'], mail: 'daily' },
  unsubscribe: { token: 'a-token' },
  startSecondFactor: { password: 'a password' },
  confirmSecondFactor: { code: '123456' },
  endSecondFactor: { password: 'a password', code: '123456' },
  deletePerson: { password: 'a password' },
  closeAccount: { password: 'a password' },
  rotateApiKey: {},
  acceptInvitation: {},
  readMailedInvitation: { token: 'a-token' },
  openAccount: { name: 'Rise Bakery' },
  renameAccount: { name: 'Rise Bakery' },
  changeMemberRole: { role: 'admin' },
  inviteMember: { email: 'grace@example.com', role: 'member' },
  removeMember: {},
  createApiKey: { name: 'agent' },
  decideConnection: { request: 'a-request', allow: false },
  createReviewLink: { name: 'Marketing', can_comment: true },
  revokeReviewLink: { delete_comments: true },
  createGuestComment: { name: 'Vera', file_id: `file_${nothing}`, text: 'Rounder.' },
  checkIntent: draft,
  preflightJob: draft,
  createJob: draft,
  updateJob: { reference: 'PO-2026-114' },
  presignUpload: { purpose: 'job_source', content_type: 'text/plain', file_name: 'brief.txt', size_bytes: 5 },
  createTextFile: { file_name: 'brief.md', text: 'Dark green and cream.' },
  createDownload: {},
  readUploadPage: { token: 'a-token' },
  startPageUpload: { token: 'a-token', content_type: 'text/plain', file_name: 'brief.txt', size_bytes: 5 },
  completePageUpload: { token: 'a-token' },
  replaceBrand: { facts: [{ label: 'Colours', text: 'Dark green and cream' }], file_ids: [] },
  createPoster: { jpeg: '/9j/4AAQSkZJRgABAQ==' },
  createDeliverablePoster: { jpeg: '/9j/4AAQSkZJRgABAQ==' },
  presignDeliverable: { content_type: 'text/plain', file_name: 'work.txt', size_bytes: 5 },
  downloadJobFile: {},
  createArchive: {},
  createLibraryArchive: {},
  createShowLink: { name: 'Our printer' },
  createReviewArchive: {},
  createJobArchive: {},
  createComment: { file_id: `file_${nothing}`, text: 'Rounder.' },
  completeComment: {},
  reopenComment: {},
  withdrawDeskMessage: {},
  updateComment: { text: 'Much rounder.' },
  createReply: { text: 'Blue, too.' },
  createGuestReply: { name: 'Vera', text: 'Blue, too.' },
  settleComment: { settled: true },
  lookAtReview: { looking: true },
  lookAsGuest: { looking: true, name: 'Vera' },
  askToLook: { user_id: `user_${nothing}` },
  createTemplate: { name: 'Newsletter', service_family: 'design' },
  replaceTemplate: { name: 'Leaflet', service_family: 'design' },
  openIntake: { service_family: 'design' },
  addMessage: { content: 'A logo, please.' },
  answerIntake: { requirement: 'Brand name', answer: 'Rise' },
  updateIntake: { wanted_by: '2999-01-15T12:00:00Z' },
  confirmBrief: {},
  confirmOrder: { version: 1 },
  declineOrder: { words: 'Not now.' },
  requestRevision: { customer_instructions: 'Rounder.' },
  startCheckout: { plan_code: 'solo' },
  createQuotaAdjustment: {
    entitlement_id: `ent_${nothing}`,
    period_start: '2026-11-01T00:00:00Z',
    quantity: -1,
    reason: 'The second logo was late.',
  },
  suspendAccount: { reason: 'The card was charged back.' },
  orderForAccount: draft,
  chooseStudioOrders: { allowed: true },
  replaceAccountNote: { body: 'Send proofs as PDF.' },
  inviteImportedPeople: {},
  addNote: { body: 'A note.' },
  noteTime: { minutes: 90, worked_on: today(), words: 'Second sketch' },
  replaceTime: { minutes: 60, worked_on: today() },
  setJobAside: { reason: 'The printer has paper again then.', set_aside_until: dueIn(3) },
  tickItem: { item: 0, ticked: true },
  startJob: {},
  submitJob: { message: 'Done.' },
  returnJob: { note: 'Not yet.' },
  rejectJob: { code: 'other', message: 'No.' },
  releaseJob: {},
  holdJob: {},
  rescheduleJob: { due_at: dueIn(3), reason: 'The printer needs a day more.' },
  updateOperator: { held_limit: 5 },
  inviteOperator: { email: 'mira@example.com', role: 'maker' },
  readMailedOperatorInvitation: { token: 'a-token' },
  acceptOperatorInvitation: { token: 'a-token', password: 'a password' },
  saveDeliveryDraft: { message: 'Two versions.', file_ids: [] },
  startExport: { list: 'jobs', filters: 'status=queued' },
  viewJob: { viewing: true },
  claimJob: {},
  sendMessage: { text: 'The dark green, please.' },
  readMessages: { message_id: 'msg_01jd3vsh8xe7rtx1zqbdnzc4v0' },
  followJob: { following: true },
  sendDeskMessage: { text: 'A first sketch.' },
  readDeskMessages: { message_id: 'msg_01jd3vsh8xe7rtx1zqbdnzc4v0' },
  followDeskJob: { following: true },
  heartbeatLease: { lease_token: 'a-token' },
  createMacro: { name: 'Hello', text: 'Hello {customer}.' },
  createSavedView: { name: 'Friday', shared: false, filter: { status: ['queued'], sort: 'due' } },
  replaceSavedView: { name: 'Monday', shared: true, filter: { holder: 'me' } },
  replaceMacro: { name: 'Goodbye', text: 'Goodbye {customer}.' },
  checkCatalog: { documents: documentsIn() },
  publishCatalog: { documents: documentsIn(), expected_version: 1 },
  republishCatalog: { expected_version: 1 },
  createWorkerKey: { name: 'worker' },
  createStudioApp: { name: 'Cursor', redirect_uris: ['http://127.0.0.1/callback'] },
  createWebhookEndpoint: { url: 'https://hooks.example.com/' },
  updateWebhookEndpoint: {},
  rotateWebhookSecret: {},
  replayWebhookEvents: { after: 0 },
};

/** The query string of operations that require one. */
const goodQueries: Record<string, string> = {};

export const secured = endpoints.filter(({ auth }) => isSignedIn(auth));
export const titled = (endpoints: readonly Endpoint[]) =>
  endpoints.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);

const exampleOf = (endpoint: Endpoint, parameter: string): string | undefined => {
  const schema: { examples?: string[] } | undefined = endpoint.params?.properties[parameter];
  return schema?.examples?.[0];
};
/** Prefix of the id in an endpoint's path; null if it has none. */
export const prefixOf = (endpoint: Endpoint): string | null => exampleOf(endpoint, 'id')?.split('_')[0] ?? null;
export const unknownId = (endpoint: Endpoint): string => `${prefixOf(endpoint) ?? 'x'}_${nothing}`;

/** An account with one of everything, and a caller of each kind. */
export type World = Studio & {
  member: TestPerson & { memberId: string };
  readKey: string;
  writeKey: string;
  /** The owner of another account with the same plan. */
  eve: TestPerson;
  eveKey: string;
  /** Has the link `ids.rvl` of `ids.job`. */
  guest: { review: string };
  /** Ids of Ada's account by prefix, for the ids of a path. */
  ids: Record<string, string>;
};

export async function createWorld(...terms: Parameters<typeof createStudio>): Promise<World> {
  const studio = await createStudio(...terms);
  const { service, ada, key, operator } = studio;
  const { person: eve, key: eveKey } = await newCustomer(service, 'studio');
  const member = await addMember(service, ada, 'member');
  const { body: keys } = await service.call('GET', '/api/v1/api-keys', { as: ada.token });
  const { body: worker } = await post(service, operator.token, '/api/operator/v1/worker-keys', { name: 'worker' });
  const { body: macro } = await post(service, operator.token, '/api/operator/v1/macros', goodBodies.createMacro);
  const { body: view } = await post(
    service,
    operator.token,
    '/api/operator/v1/saved-views',
    goodBodies.createSavedView,
  );
  const { body: registered } = await post(service, operator.token, '/api/operator/v1/apps', goodBodies.createStudioApp);
  const { body: template } = await post(service, key, '/api/v1/templates', goodBodies.createTemplate);
  const { body: intake } = await post(service, key, '/api/v1/intake/sessions', goodBodies.openIntake);
  const { body: events } = await service.call('GET', '/api/operator/v1/provider-events', { as: operator.token });
  const ofAda = (event: { account_id: string }) => event.account_id === showId('acct', ada.accountId);
  const { body: hook } = await post(service, ada.token, '/api/v1/webhook-endpoints', goodBodies.createWebhookEndpoint);
  const hookId: string = hook.webhook_endpoint.id;
  const { body: tested } = await post(service, ada.token, `/api/v1/webhook-endpoints/${hookId}/test`);
  const invited = { email: 'invited@example.com', role: 'member' };
  const { body: invitation } = await post(service, ada.token, '/api/auth/invitations', invited);
  const inviting = { email: 'operator@example.com', role: 'maker' };
  const { body: offer } = await post(service, operator.token, '/api/operator/v1/operator-invitations', inviting);
  const order = await newOrder(service, await addMaker(service, ada));
  const job = await newJob(service, key);
  const { body: sent } = await sayAtDesk(studio, job, 'Hello.');
  const { body: link } = await post(service, key, `/api/v1/jobs/${job}/review-links`, goodBodies.createReviewLink);
  const { id: file } = await newFile(service, key, Buffer.from('hello'));
  const { body: news } = await service.call('GET', '/api/auth/notifications', { as: ada.token });
  return {
    ...studio,
    member,
    guest: { review: link.token },
    eve,
    eveKey,
    readKey: await makeKey(service, ada, ['api:read']),
    writeKey: await makeKey(service, ada, ['api:write']),
    ids: {
      acct: showId('acct', ada.accountId),
      user: showId('user', operator.userId),
      sess: showId('sess', ada.sessionId),
      mem: showId('mem', member.memberId),
      inv: invitation.invitation.id,
      oinv: offer.operator_invitation.id,
      key: keys.api_keys[0].id,
      tpl: template.template.id,
      ise: intake.intake_session.id,
      ord: order,
      job,
      msg: sent.message.id,
      rvl: link.review_link.id,
      wkey: worker.worker_key.id,
      mac: macro.macro.id,
      view: view.saved_view.id,
      app: registered.app.id,
      evt: events.provider_events.find(ofAda).id,
      hook: hookId,
      dlv: tested.webhook_delivery.id,
      file,
      ntf: news.notifications[0].id,
      cmt: await newSentComment(studio, job, file),
    },
  };
}

/** Of a round that was reviewed, so that the job may be in any status. */
async function newSentComment({ service, ada }: Studio, job: string, file: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into job_comments (account_id, job_id, round, file_id, text, user_id, sent_at)
    values (${ada.accountId}, ${readId('job', job)}, 0, ${readId('file', file)}, 'Sent.', ${ada.userId}, now())
    returning id`.execute(service.context.db);
  return showId('cmt', rows[0]?.id ?? '');
}

/** Marks of a reader: a key has none. */
const forPeople = ['readMessages', 'followJob', 'lookAtReview', 'askToLook'];

/** A credential that the endpoint accepts. */
export function credentialFor(endpoint: Endpoint, { ada, key, operator, guest }: World): As {
  if (endpoint.auth === 'public' || endpoint.auth === 'visitor') return null;
  if (endpoint.auth === 'caller') return forPeople.includes(endpoint.operationId) ? ada.token : key;
  if (endpoint.auth === 'guest') return guest;
  return endpoint.auth === 'person' || endpoint.auth === 'manager' ? ada.token : operator.token;
}

/** `more` has the ids of a path beside `{id}`; those that it leaves out name nothing. */
export const pathFor = (endpoint: Endpoint, id = unknownId(endpoint), more: Record<string, string> = {}): string =>
  endpoint.path
    .replace('{id}', id)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => more[name] ?? exampleOf(endpoint, name) ?? '') +
  (goodQueries[endpoint.operationId] ?? '');

type Changes = { as?: As; id?: string; body?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> };

/** `SWEEP=all`: sweeps send every request that they have, each over a socket. `.ci/run` sets it. */
export const isWhole = process.env.SWEEP === 'all';

/** How sweeps send a request whose answer ends. */
export const send = ({ inject, call }: Service, ...request: Parameters<Service['call']>): Promise<Got> =>
  (isWhole || !inject ? call : inject)(...request);

/** How sweeps send a request to an endpoint. What a stream answers has no end. */
export const sendTo = (
  service: Service,
  { method, answers }: Endpoint,
  path: string,
  options?: RequestOptions,
): Promise<Got> => (answers[200]?.stream ? service.call(method, path, options) : send(service, method, path, options));

/** Sends a valid request to an endpoint, with these changes. */
export function ask(world: World, endpoint: Endpoint, { id, raw, body, as, headers = {} }: Changes = {}): Promise<Got> {
  const sent = body ?? goodBodies[endpoint.operationId];
  return sendTo(
    world.service,
    endpoint,
    pathFor(endpoint, id, { message_id: world.ids.msg!, review_link_id: world.ids.rvl! }),
    {
      as: as === undefined ? credentialFor(endpoint, world) : as,
      headers,
      ...(raw !== undefined ? { raw } : endpoint.method === 'GET' || sent === undefined ? {} : { body: sent }),
    },
  );
}

/** The status and error code of an answer. */
export const said = ({ status, body }: { status: number; body?: Got['body'] }): string =>
  [status, body?.error?.code].filter(Boolean).join(' ');

/**
 * A hash of the rows of each table. Left out are `last_used_at`, which any request may update, the time of
 * the last check of prices, and what signatures came, which is written up to a second later. It is one
 * statement because sweeps call it hundreds of times.
 */
export async function contentOf({ context: { db } }: Service, names?: string[]): Promise<Record<string, string>> {
  const hashes = (names ?? (await tablesOf(db))).map(
    (name) => sql`
      select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as content
      from (select (to_jsonb(t) - ${sql.lit(name.endsWith('.plan_prices') ? 'checked_at' : 'last_used_at')})::text as row from ${sql.raw(name)} t) r`,
  );
  const { rows } = await sql<{ contents: Record<string, string> }>`
    select json_object_agg(name, content) as contents from (${sql.join(hashes, sql` union all `)}) c`.execute(db);
  return rows[0]?.contents ?? {};
}

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'webhook_signatures' order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Runs these requests and expects that they write nothing. */
export async function writingNothing(service: Service, run: () => Promise<unknown>): Promise<void> {
  const before = await contentOf(service);
  await run();
  expect(await contentOf(service)).toEqual(before);
}
