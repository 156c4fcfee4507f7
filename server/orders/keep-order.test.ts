import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newFile, someBytes } from '../../test/support/files.ts';
import { close, confirm as confirmBrief, readySession } from '../../test/support/intake.ts';
import { createJob, draft, newCustomer, post, setPlan, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { addMaker, newOrder, readOrder, confirm, orderIn } from '../../test/support/orders.ts';
import { addMember } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { notification } from '../mail/notification-mail.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));
beforeEach(() => void studio.service.emails.splice(0));

async function company() {
  const { person: owner, key } = await newCustomer(studio.service, 'studio');
  return { owner, key, maker: await addMaker(studio.service, owner) };
}
const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim();
const patch = (as: string, memberId: string, body: object) =>
  studio.service.call('PATCH', `/api/auth/members/${showId('mem', memberId)}`, { as, body });

describe('403 confirmation_required', () => {
  test('names the page, until when it waits, and how to wait; nothing is ordered', async () => {
    const { maker, key } = await company();
    const { body } = await createJob(studio.service, maker.token);
    const { details, action, message } = body.error;
    expect(details).toEqual([
      { location: 'order', message: expect.stringContaining('ord_'), url: expect.stringMatching(/\/orders\/ord_\w+$/) },
    ]);
    expect(message).toContain('owner or admin');
    expect(action).toMatch(/GET \/api\/v1\/events\?types=order\.confirmed,order\.declined&after=\d+&wait=25/);
    const { body: jobs } = await studio.service.call('GET', '/api/v1/jobs', { as: key });
    expect(jobs.jobs).toEqual([]);
  });

  test('comes last: input, plan, quota and concurrency are refused as always', async () => {
    const { owner, maker } = await company();
    const order = (changes: object = {}) => createJob(studio.service, maker.token, changes);
    expect(said(await order({ file_ids: ['file_01jd3vsh8xe7rtx1zqbdnzc4v0'] }))).toBe('422 invalid_request');
    expect(said(await order({ wanted_by: '2020-01-01T00:00:00Z' }))).toBe('422 invalid_request');
    expect(said(await order({ service_family: 'gone' }))).toBe('422 unsupported_service');
    for (const [change, code] of [
      [{ quota: 0 }, 'quota_exceeded'],
      [{ quota: 10, concurrency_limit: 0 }, 'concurrency_limit_exceeded'],
      [{ concurrency_limit: 5, status: 'paused' as const }, 'entitlement_required'],
    ] as const) {
      await setPlan(studio.service, owner, 'studio', change);
      expect(said(await order())).toBe(`403 ${code}`);
    }
  });

  test('is an entry of preflight, as the last refusal; nobody else has it', async () => {
    const { owner, maker } = await company();
    const reasons = async (as: string) => {
      const { body } = await post(studio.service, as, '/api/v1/jobs/preflight', draft);
      return body.preflight.blocking_reasons.map(({ code }: { code: string }) => code);
    };
    expect(await reasons(maker.token)).toEqual(['confirmation_required', 'intake_incomplete']);
    expect(await reasons(owner.token)).toEqual(['intake_incomplete']);
    await setPlan(studio.service, owner, 'studio', { quota: 0 });
    expect(await reasons(maker.token)).toEqual(['quota_exceeded', 'confirmation_required', 'intake_incomplete']);
  });

  test('a lapsed or ended one does not come back by its key', async () => {
    const { maker, owner } = await company();
    const id = await newOrder(studio.service, maker, {}, 'again');
    await sql`update orders set lapses_at = now() where account_id = ${owner.accountId}`.execute(
      studio.service.context.db,
    );
    const refused = await createJob(studio.service, maker.token, {}, 'again');
    expect([orderIn(refused), refused.body.error.message]).toEqual([id, expect.stringContaining('in time')]);
    expect((await readOrder(studio.service, owner.token, id)).status).toBe('lapsed');
  });
});

test('403 limit_reached: a twenty-first; those that lapsed do not count', async () => {
  const { owner, maker } = await company();
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await newOrder(studio.service, maker));
  expect(said(await createJob(studio.service, maker.token))).toBe('403 limit_reached');
  await sql`update orders set lapses_at = now() where account_id = ${owner.accountId}`.execute(
    studio.service.context.db,
  );
  expect(said(await createJob(studio.service, maker.token))).toBe('403 confirmation_required');
});

test('managers are told by bell and mail, once, and no longer once it is decided', async () => {
  const { owner, maker } = await company();
  const admin = await addMember(studio.service, owner, 'admin');
  const colleague = await addMember(studio.service, owner, 'member');
  const id = await newOrder(studio.service, maker, {}, 'told');
  await newOrder(studio.service, maker, {}, 'told');
  const told = async (person: typeof owner) =>
    (await toldTo(studio.service, person)).filter(({ kind }) => kind === 'order_waiting');
  for (const person of [owner, admin])
    expect(await told(person)).toMatchObject([{ path: `/orders/${id}`, read_at: null }]);
  expect([await told(colleague), await told(maker)]).toEqual([[], []]);
  await sendMails(studio.service);
  const waits = ({ subject }: { subject: string }) => subject.startsWith('An order waits for you');
  expect(mailsTo(studio.service, owner).filter(waits)).toMatchObject([
    { text: expect.stringContaining(`/orders/${id}`) },
  ]);
  expect(mailsTo(studio.service, colleague).filter(waits)).toEqual([]);
  await confirm(studio.service, admin.token, id);
  expect((await told(owner)).map(({ read_at }) => read_at === null)).toEqual([false]);
});

test.each(['is closed', 'is ordered by a colleague', 'lost its maker'])(
  'managers have nothing to look at once the draft %s',
  async (end) => {
    const { service } = studio;
    const { owner, maker } = await company();
    const { id } = await readySession(service, maker.token);
    await confirmBrief(service, maker.token, id);
    const before = await unreadOf(service, owner);
    if (end === 'is closed') await close(service, maker.token, id);
    else if (end === 'lost its maker') await patch(owner.token, maker.memberId, { role: 'reviewer' });
    else expect((await confirmBrief(service, owner.token, id)).status).toBe(201);
    expect(await unreadOf(service, owner)).toBe(before - 1);
  },
);

/** The mail of the newest notification of somebody, as it would be written now. */
async function mailOf({ userId }: { userId: string }) {
  const { db, catalog } = studio.service.context;
  const { id } = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return notification.compose(db, { userId, data: { notification_id: id } }, catalog.studio);
}

test('no mail is written to an admin who is one no more, nor of an order that lapsed', async () => {
  const { owner, maker } = await company();
  const admin = await addMember(studio.service, owner, 'admin');
  await newOrder(studio.service, maker);
  expect(await mailOf(admin)).not.toBeNull();
  await patch(owner.token, admin.memberId, { role: 'member' });
  expect(await mailOf(admin)).toBeNull();
  expect(await mailOf(owner)).not.toBeNull();
  await sql`update orders set lapses_at = now() where account_id = ${owner.accountId}`.execute(
    studio.service.context.db,
  );
  expect(await mailOf(owner)).toBeNull();
});

describe('whose maker', () => {
  test('is removed, leaves or becomes a reviewer has ended, and stays so after they come back', async () => {
    const { owner } = await company();
    for (const end of ['remove', 'leave', 'review'] as const) {
      const maker = await addMaker(studio.service, owner);
      const id = await newOrder(studio.service, maker);
      const own = `/api/auth/members/${showId('mem', maker.memberId)}`;
      if (end === 'remove') await studio.service.call('DELETE', own, { as: owner.token, body: {} });
      if (end === 'leave')
        await post(studio.service, maker.token, `/api/auth/accounts/${showId('acct', owner.accountId)}/leave`);
      if (end === 'review') await patch(owner.token, maker.memberId, { role: 'reviewer' });
      expect([end, (await readOrder(studio.service, owner.token, id)).status]).toEqual([end, 'ended']);
      expect(said(await confirm(studio.service, owner.token, id))).toBe('409 order_changed');
    }
  });

  test('is made the member that they are stays', async () => {
    const { owner, maker } = await company();
    const id = await newOrder(studio.service, maker);
    expect((await patch(owner.token, maker.memberId, { role: 'member' })).status).toBe(200);
    expect((await readOrder(studio.service, owner.token, id)).status).toBe('waiting');
  });

  test('no longer waits orders at once, and what waits still can be confirmed', async () => {
    const { owner, maker } = await company();
    const id = await newOrder(studio.service, maker);
    await patch(owner.token, maker.memberId, { orders: 'direct' });
    expect((await createJob(studio.service, maker.token)).status).toBe(201);
    expect((await confirm(studio.service, owner.token, id)).status).toBe(201);
  });
});

test('a suspended account neither keeps nor confirms', async () => {
  const { owner, maker } = await company();
  const id = await newOrder(studio.service, maker);
  const path = `/api/operator/v1/accounts/${showId('acct', owner.accountId)}/suspend`;
  await post(studio.service, studio.operator.token, path, { reason: 'Charged back.' });
  expect(said(await createJob(studio.service, maker.token))).toBe('403 account_suspended');
  expect(said(await confirm(studio.service, owner.token, id))).toBe('403 account_suspended');
});

test('a member without that setting, a key and an owner order at once; me says who waits', async () => {
  const { owner, key, maker } = await company();
  const member = await addMember(studio.service, owner, 'member');
  const orders = async (as: string) => (await studio.service.call('GET', '/api/v1/me', { as })).body.orders;
  expect(await orders(maker.token)).toBe('confirmed');
  for (const as of [owner.token, key, member.token]) {
    expect(await orders(as)).toBe('direct');
    expect((await createJob(studio.service, as)).status).toBe(201);
  }
});

test('files stay the account’s until it is confirmed', async () => {
  const { owner, maker } = await company();
  const file = await newFile(studio.service, maker.token, someBytes());
  const id = await newOrder(studio.service, maker, { file_ids: [file.id] });
  expect((await readOrder(studio.service, owner.token, id)).files).toMatchObject([{ id: file.id }]);
  await studio.service.call('DELETE', `/api/v1/files/${file.id}`, { as: maker.token });
  expect(said(await confirm(studio.service, owner.token, id))).toBe('422 invalid_request');
});
