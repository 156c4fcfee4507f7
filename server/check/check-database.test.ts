import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDeliverable, someBytes } from '../../test/support/files.ts';
import { readySession, confirm } from '../../test/support/intake.ts';
import { createJob, makeMoves, newCustomer, newJob, newJobIn, post, setPlan, uuidOf } from '../../test/support/jobs.ts';
import { chargeRefunded, disputeCreated, invoicePaid, sendAll } from '../../test/support/money.ts';
import { addImportedPerson } from '../../test/support/imports.ts';
import { makeOperator, signUp } from '../../test/support/people.ts';
import { comment, newDelivery, newRevision } from '../../test/support/review.ts';
import { newReviewLink } from '../../test/support/review-links.ts';
import { ask, newDeskReference, say, sayAtDesk } from '../../test/support/talk.ts';
import { saveTemplate } from '../../test/support/templates.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { claim, leasedJob, makeWorker, runOut, sweep } from '../../test/support/workers.ts';
import { deleteOldEvents } from '../events/delete-old-events.ts';
import { restartFeed } from '../events/restart-feed.ts';
import { readId, showId } from '../lib/id.ts';
import { checkDatabase } from './check-database.ts';
import { unchangedTables } from './rights-check.ts';

let studio: Deliveries;
beforeAll(async () => {
  studio = await createDeliveries();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 1_000, concurrency_limit: 1_000 });
});
afterAll(() => closeDeliveries(studio));

const db = () => studio.service.context.db;

async function faults(): Promise<string[]> {
  const { contradictions } = await checkDatabase(db());
  return contradictions.flatMap(({ examples }) => examples.map(({ subject, fault }) => `${subject} ${fault}`));
}

/** From now on, this copy of the database accepts what no verb writes. The service's role owns the tables. */
const dropForeignKeys = () =>
  sql`
    do $$ declare item record; begin
      for item in select conrelid::regclass as name, conname from pg_constraint where contype = 'f' loop
        execute format('alter table %s drop constraint %I', item.name, item.conname);
      end loop;
    end $$`.execute(db());

/** Also in rows that the service may not change. */
const plant = (statement: RawBuilder<unknown>): Promise<void> =>
  db()
    .transaction()
    .execute(async (trx) => {
      const kept = sql.raw(unchangedTables.join(', '));
      await sql`grant update, delete on ${kept} to current_user`.execute(trx);
      const { numAffectedRows } = await statement.execute(trx);
      expect(Number(numAffectedRows)).toBeGreaterThan(0);
      await sql`revoke update, delete on ${kept} from current_user`.execute(trx);
    });

const uuid = (id: string) => readId(id.split('_')[0] as 'job', id) ?? '';

/** Work of all kinds, and what tasks do to it later. */
async function workABusyDay(): Promise<void> {
  const { service, key, ada, operator } = studio;
  const hook = await newEndpoint(studio);
  await newRevision(studio, 'Rounder.', 'Flatter.');
  await comment(studio, await newDelivery(studio), 'Not sent yet.');
  for (const status of ['completed', 'rejected', 'canceled', 'needs_review'] as const) await newJobIn(studio, status);
  await makeMoves(studio, await newJobIn(studio, 'running'), 'cancel');
  await makeMoves(studio, await newJobIn(studio, 'needs_review'), 'return', 'submit', 'reject');
  const waiting = await newJobIn(studio, 'running');
  await ask(studio, waiting);
  await sayAtDesk(studio, waiting, 'Here.', { file_ids: [await newDeskReference(studio, waiting)] });
  const answered = await newJob(service, ada.token);
  await ask(studio, answered);
  await say(studio, answered, 'Green.');
  const due_at = new Date(Date.now() + 86_400_000).toISOString();
  await post(service, operator.token, `/api/operator/v1/jobs/${waiting}/reschedule`, {
    remaining_seconds: 60,
    reason: 'Ill.',
  });
  await post(service, operator.token, `/api/operator/v1/jobs/${answered}/reschedule`, { due_at, reason: 'Ill.' });
  const { id } = await leasedJob(studio, await makeWorker(studio), 'running');
  await runOut(studio, id);
  await sweep(studio);
  await claim(studio, operator.token, {}, 'once');
  await createJob(service, key, {}, 'once');
  await createJob(service, key, {}, 'once');
  await confirm(service, key, (await readySession(service, key)).id);
  await saveTemplate(service, key);
  await post(service, ada.token, `/api/v1/webhook-endpoints/${hook.id}/test`);
  await getMoneyBack();
}

/** Two refunds of a charge, one that comes before its invoice, and a dispute that nobody knows. */
async function getMoneyBack(): Promise<void> {
  const customer = `cus_sandbox_${studio.ada.accountId.replaceAll('-', '')}`;
  const [charge, payment_intent] = [`ch_${randomUUID()}`, `pi_${randomUUID()}`];
  await sendAll(studio.service, [
    chargeRefunded({ charge, payment_intent, amount: 300 }),
    invoicePaid(studio.service, { customer, payment_intent, plan: null }),
    chargeRefunded({ charge, payment_intent, amount: 900 }),
    chargeRefunded({ customer: 'cus_other' }),
    disputeCreated({}),
    disputeCreated({ charge }),
  ]);
}

test('whatever happened, nothing contradicts', async () => {
  await workABusyDay();
  expect(await faults()).toEqual([]);
});

test('a restart of the feed and the deletion of old events contradict nothing', async () => {
  await restartFeed(db());
  await sql`update events set created_at = now() - interval '91 days'`.execute(db());
  await restartFeed(db());
  await newJob(studio.service, studio.key);
  await deleteOldEvents(db(), new AbortController().signal);
  await newJob(studio.service, studio.key);
  expect(await faults()).toEqual([]);
});

type Planted = { subject: string; fault: string };
const ofJob = async (
  make: () => Promise<string>,
  fault: string,
  statement: (job: string) => RawBuilder<unknown>,
): Promise<Planted> => {
  const id = await make();
  await plant(statement(uuidOf('job', id)));
  return { subject: id, fault };
};
const job =
  (status: Parameters<typeof newJobIn>[1] = 'queued') =>
  () =>
    newJobIn(studio, status);
const delivered = async () => (await newDelivery(studio)).id;

/** An account of its own with one job. */
async function customer() {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const id = await newJob(studio.service, key);
  const plan = await db()
    .selectFrom('entitlements')
    .select('id')
    .where('account_id', '=', person.accountId)
    .executeTakeFirstOrThrow();
  return { account: person.accountId, acct: showId('acct', person.accountId), ent: showId('ent', plan.id), job: id };
}
const ofAccount = async (fault: string, statement: (account: string) => RawBuilder<unknown>): Promise<Planted> => {
  const { account, acct } = await customer();
  await plant(statement(account));
  return { subject: acct, fault };
};
const contradictions: Record<string, () => Promise<Planted>> = {
  'a job without a charge': () =>
    ofJob(job(), 'has no charge in the ledger', (id) => sql`delete from usage_ledger where job_id = ${id}`),
  'a charge to another plan': () =>
    ofJob(
      job(),
      'was ordered on the plan studio, but is charged to solo',
      (id) => sql`
      update usage_ledger set plan_code = 'solo' where job_id = ${id}`,
    ),
  'a canceled job without a reversal': () =>
    ofJob(
      job('canceled'),
      'is canceled and should have given its quota back, but has no reversal',
      (id) => sql`
      delete from usage_ledger where job_id = ${id} and quantity = -1`,
    ),
  'a rejected job without a reversal': () =>
    ofJob(
      job('rejected'),
      'is rejected and should have given its quota back, but has no reversal',
      (id) => sql`
      delete from usage_ledger where job_id = ${id} and quantity = -1`,
    ),
  'a completed job with a reversal': () =>
    ofJob(
      job('completed'),
      'is completed and should keep its charge, but has a reversal',
      (id) => sql`
      insert into usage_ledger (account_id, job_id, quantity, id, entitlement_id, plan_code, period_start, service_family, unit)
      select account_id, job_id, -1, uuidv7(), entitlement_id, plan_code, period_start, service_family, unit
      from usage_ledger where job_id = ${id}`,
    ),
  'a reversal of another period': () =>
    ofJob(
      job('canceled'),
      'has a reversal of another entitlement, plan, period, key or service',
      (id) => sql`
      update usage_ledger set period_start = period_start - interval '1 month' where job_id = ${id} and quantity = -1`,
    ),
  'a period with another use than its ledger': async () => {
    const { account, ent } = await customer();
    await plant(sql`update entitlement_periods set used = 3 where account_id = ${account}`);
    const { rows } = await sql<{ start: string }>`
      select period_start::text as start from entitlement_periods where account_id = ${account}`.execute(db());
    return { subject: ent, fault: `has used 3 since ${rows[0]?.start}, but the ledger has 1` };
  },
  'an adjustment that is not in the used quota, and gives back what no job was charged': async () => {
    const { account, ent } = await customer();
    await plant(sql`
      insert into quota_adjustments (account_id, id, entitlement_id, plan_code, period_start, period_end, quantity, unit, reason, created_by)
      select p.account_id, uuidv7(), p.entitlement_id, e.code, p.period_start, p.period_end, -1, 'job', 'A late delivery.',
        (select user_id from members m where m.account_id = p.account_id limit 1)
      from entitlement_periods p join entitlements e on e.id = p.entitlement_id where p.account_id = ${account}`);
    await plant(sql`update entitlement_periods set used = 0 where account_id = ${account}`);
    const { rows } = await sql<{ start: string }>`
      select period_start::text as start from entitlement_periods where account_id = ${account}`.execute(db());
    return { subject: ent, fault: `gave back 1 more than ended jobs were charged since ${rows[0]?.start}` };
  },
  'a day with another total than its ledger': async () => {
    const { account, ent } = await customer();
    await plant(sql`update usage_totals set quantity = 2 where account_id = ${account}`);
    const { rows } = await sql<{ day: string }>`
      select day::text from usage_totals where account_id = ${account}`.execute(db());
    return { subject: ent, fault: `has a total of 2 design on ${rows[0]?.day}, but the ledger has 1` };
  },
  'an entitlement with the subscription of another account': async () => {
    const other = await signUp(studio.service);
    const { account, ent } = await customer();
    const { rows } = await sql<{ id: string }>`select id from subscriptions where account_id = ${account}`.execute(
      db(),
    );
    await plant(sql`update subscriptions set account_id = ${other.accountId} where account_id = ${account}`);
    return { subject: ent, fault: `has the subscription ${rows[0]?.id} of another account` };
  },
  'a payment with another amount than its event': async () => {
    const { id, event } = await paidInvoice();
    await plant(sql`update provider_payments set amount = 1 where id = ${id}`);
    const { rows } = await sql<{ at: string }>`
      select happened_at::text as at from provider_payments where id = ${id}`.execute(db());
    const at = rows[0]!.at;
    return { subject: `invoice ${id}`, fault: `is recorded with 1 usd at ${at}, but ${event} says 49900 usd at ${at}` };
  },
  'a payment of another account than its customer': async () => {
    const { id } = await paidInvoice();
    const other = await signUp(studio.service);
    await plant(sql`update provider_payments set account_id = ${other.accountId} where id = ${id}`);
    return { subject: `invoice ${id}`, fault: 'is of another account than its customer' };
  },
  'a payment that no event says': async () => {
    const { id } = await paidInvoice();
    await plant(sql`update provider_payments set id = 'in_made_up' where id = ${id}`);
    return { subject: 'invoice in_made_up', fault: 'is recorded, but no event says so' };
  },
  'a paid invoice that is not recorded': async () => {
    const { id, event } = await paidInvoice();
    await plant(sql`delete from provider_payments where id = ${id}`);
    return { subject: `invoice ${id}`, fault: `is said by ${event}, but not recorded` };
  },
  'an account without counters': () =>
    ofAccount('has no row in account_counters', (id) => sql`delete from account_counters where account_id = ${id}`),
  'a wrong number of active jobs': () =>
    ofAccount(
      'counts 4 active jobs, but has 1',
      (id) => sql`
      update account_counters set active_jobs = 4 where account_id = ${id}`,
    ),
  'a counter behind the newest event': async () => {
    const { account, acct } = await customer();
    const { rows } = await sql<{ last: string }>`
      select last_event as last from account_counters where account_id = ${account}`.execute(db());
    await plant(sql`update account_counters set last_event = last_event - 1 where account_id = ${account}`);
    const last = Number(rows[0]?.last);
    return { subject: acct, fault: `counts ${last - 1} events, but the newest has the number ${last}` };
  },
  'an event that is missing': () =>
    ofAccount('has no event 1', (id) => sql`delete from events where account_id = ${id} and seq = 1`),
  'events that are missing': () =>
    ofAccount('has no events from 1 to 2', (id) => sql`delete from events where account_id = ${id} and seq <= 2`),
  'a status without an event': () =>
    ofJob(
      job(),
      'is running, but its last event says queued',
      (id) => sql`
      update jobs set status = 'running' where id = ${id}`,
    ),
  'a job that counts an event too many': () =>
    ofJob(
      job(),
      'counts 2 events, but has no event of that number',
      (id) => sql`
      update jobs set last_seq = 2 where id = ${id}`,
    ),
  'a job that lacks an event in between': () =>
    ofJob(
      job('running'),
      'counts 3 events, but has 2',
      (id) => sql`
      delete from events where job_id = ${id} and job_seq = 2`,
    ),
  'an event that does not continue from the one before': () =>
    ofJob(
      job('accepted'),
      'has event 2 (job.accepted) from running to accepted after queued',
      (id) => sql`
      update events set previous_status = 'running' where job_id = ${id} and job_seq = 2`,
    ),
  'an event of a move that does not exist': () =>
    ofJob(
      job('accepted'),
      'has event 2 (job.accepted) from queued to completed after queued',
      (id) => sql`
      update events set status = 'completed' where job_id = ${id} and job_seq = 2`,
    ),
  'a job that does not begin queued': () =>
    ofJob(
      job(),
      'has event 1 (job.created) from nothing to running after nothing',
      (id) => sql`
      update events set status = 'running' where job_id = ${id}`,
    ),
  'a submission that is missing': () =>
    ofJob(
      delivered,
      'has 0 submissions and 1 events of them; has 0 releases and 1 events of them',
      (id) => sql`
      delete from job_submissions where job_id = ${id}`,
    ),
  'a revision that is missing': () =>
    ofJob(
      async () => (await newRevision(studio, 'Rounder.')).id,
      'counts 1 revisions, has 0 and 1 events of them',
      (id) => sql`
      delete from job_revisions where job_id = ${id}`,
    ),
  'a delivered file that no event announced': () =>
    ofJob(
      delivered,
      'has 1 delivered files and 0 events of them',
      (id) => sql`
      update events set type = 'job.file_attached' where job_id = ${id} and type = 'job.deliverable_added'`,
    ),
  'a job that forgot its submission': () =>
    ofJob(
      delivered,
      'has a submission, but is not marked as submitted',
      (id) => sql`
      update jobs set ever_submitted = false where id = ${id}`,
    ),
  'a job that claims a release': () =>
    ofJob(
      job(),
      'is marked as released, but has no released submission',
      (id) => sql`
      update jobs set ever_released = true where id = ${id}`,
    ),
  'a review without an end': () =>
    ofJob(
      delivered,
      'is in review without a time at which the review ends',
      (id) => sql`
      update jobs set review_due_at = null where id = ${id}`,
    ),
  'a review without a delivery of its round': () =>
    ofJob(
      delivered,
      'is ready_for_customer_review, but round 1 was not released',
      (id) => sql`
      update jobs set revisions_used = 1 where id = ${id}`,
    ),
  'a file that is not released with its round': async () => {
    const { file } = await newDelivery(studio);
    await plant(sql`update files set released_at = null where id = ${uuid(file)}`);
    return { subject: file, fault: 'is not released, but its round 0 is' };
  },
  'a file that is released without its round': async () => {
    const id = await newJobIn(studio, 'running');
    const { service, operator } = studio;
    const file = (await newDeliverable(service, operator.token, id, someBytes())).id;
    await post(service, operator.token, `/api/operator/v1/jobs/${id}/submit`, { file_ids: [file] });
    await plant(sql`update files set released_at = now() where id = ${uuid(file)}`);
    return { subject: file, fault: 'is released, but its round 0 is not' };
  },
  'a file that is shown without a message': async () => {
    const file = await newDeskReference(studio, await newJobIn(studio, 'running'));
    await plant(sql`update files set sent_at = now() where id = ${uuid(file)}`);
    return { subject: file, fault: 'is shown, but in no message' };
  },
  'a hidden file of a message': async () => {
    const id = await newJobIn(studio, 'running');
    const file = await newDeskReference(studio, id);
    await sayAtDesk(studio, id, 'Here.', { file_ids: [file] });
    await plant(sql`update files set sent_at = null where id = ${uuid(file)}`);
    return { subject: file, fault: 'is in a message, but hidden' };
  },
  'a comment that was sent before its revision': async () => {
    const { body } = await comment(studio, await newDelivery(studio), 'Rounder.');
    await plant(sql`update job_comments set sent_at = now() where id = ${uuid(body.comment.id)}`);
    return { subject: body.comment.id, fault: 'is sent in round 0, but its job is in round 0' };
  },
  'a job of somebody who left the studio': async () => {
    const operator = await makeOperator(studio.service);
    const id = await newJobIn({ ...studio, operator }, 'accepted');
    await plant(sql`update people set operator_role = null where id = ${operator.userId}`);
    return { subject: id, fault: 'is accepted and belongs to somebody who is no operator' };
  },
  'a job that waits for no answer': () =>
    ofJob(
      job('accepted'),
      'waits, but has no open question',
      (id) => sql`
      update jobs set waiting_since = now(), due_at = null where id = ${id}`,
    ),
  'a question that nothing waits for': async () => {
    const id = await newJobIn(studio, 'accepted');
    await ask(studio, id);
    await plant(sql`update jobs set waiting_since = null, remaining_ms = null where id = ${uuid(id)}`);
    return { subject: id, fault: 'has an open question, but does not wait' };
  },
  'a draft of a job that has ended': () =>
    ofJob(
      job('completed'),
      'is completed and has a prepared delivery',
      (id) => sql`
      insert into job_drafts (account_id, job_id, message, file_ids, saved_by, saved_at)
      select account_id, id, 'Left behind.', '{}', uuidv7(), now() from jobs where id = ${id}`,
    ),
  'a conversation that counts a message too many': async () => {
    const { id, last } = await sessionWithMessages();
    await plant(sql`update intake_sessions set last_seq = last_seq + 1 where id = ${uuid(id)}`);
    return { subject: id, fault: `counts ${last + 1} messages, but has ${last} up to number ${last}` };
  },
  'a file of a template that does not exist': async () => {
    const file = await newDeskReference(studio, await newJobIn(studio, 'running'));
    await plant(sql`
      update files set template_id = uuidv7(), template_position = 1, uploaded_by = 'customer', job_id = null
      where id = ${uuid(file)}`);
    return { subject: file, fault: 'belongs to a template that does not exist' };
  },
  'a review link of no job': async () => {
    const { review_link_id } = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    await plant(sql`update review_links set job_id = uuidv7() where id = ${uuid(review_link_id)}`);
    return { subject: review_link_id, fault: 'leads to a job that does not exist' };
  },
  'a reason for a due date that did not change': () =>
    ofJob(
      job(),
      'has a reason for event 1, which changes no due date',
      (id) => sql`
      insert into job_due_date_changes (account_id, job_id, job_seq, reason)
      select account_id, id, 1, 'Why?' from jobs where id = ${id}`,
    ),
  'a job that claims to be imported': () =>
    ofJob(
      job('completed'),
      'is marked as imported, but no import names it; is imported, but its outcome counts in reports; is imported and has events; is imported and has usage',
      (id) => sql`update jobs set imported_at = now() where id = ${id}`,
    ),
  'an imported person who can sign in': async () => {
    const { userId, accountId } = await signUp(studio.service);
    await plant(sql`
      insert into imported_people (account_id, person_id, email, role)
      values (${accountId}, ${userId}, 'tom@customer.example', 'member')`);
    return {
      subject: showId('user', userId),
      fault: 'has not joined and has credentials; has not joined and is a member',
    };
  },
  'an imported person of no import': async () => {
    const { accountId } = await signUp(studio.service);
    const subject = await addImportedPerson(studio.service, accountId);
    await plant(sql`delete from imported_people where person_id = ${uuid(subject)}`);
    return { subject, fault: 'belongs to no import' };
  },
  'an outcome that claims to be imported': () =>
    ofJob(
      job('completed'),
      'has an imported outcome, but was not imported',
      (id) => sql`update job_outcomes set imported_at = now() where job_id = ${id}`,
    ),
  'a mail of an unknown kind': async () => ({
    subject: `mail ${await newMail('greeting', {})}`,
    fault: 'has the unknown kind greeting',
  }),
  'a mail about no job': async () => {
    const data = { account_id: studio.ada.accountId, job_id: crypto.randomUUID(), round: 0 };
    return { subject: `mail ${await newMail('job_ready', data)}`, fault: 'is about a job that does not exist' };
  },
  'an endpoint ahead of its log': async () => {
    const { id } = await newEndpoint(studio);
    await plant(
      sql`update webhook_endpoints set cursor = 9000000, disabled_reason = 'by_person' where id = ${uuid(id)}`,
    );
    const { rows } = await sql<{ last: string }>`
      select last_event as last from account_counters where account_id = ${studio.ada.accountId}`.execute(db());
    return { subject: id, fault: `is at event 9000000 of ${rows[0]?.last}` };
  },
  'a delivery of no event': async () => ({
    subject: await newDeliveryOf(sql`8000000`, sql`uuidv7()`),
    fault: 'is of event 8000000, which does not exist',
  }),
  'a delivery that nobody accepted': async () => {
    const id = await newDeliveryOf(sql`seq`, sql`id`);
    await plant(sql`update webhook_deliveries set outcome = 'delivered', done_at = now() where id = ${uuid(id)}`);
    return { subject: id, fault: 'counts as delivered, but no attempt was accepted' };
  },
  'an answer about no job': async () => {
    const { body } = await createJob(studio.service, studio.key, {}, 'lost');
    await plant(sql`delete from jobs where id = ${uuid(body.job.id)}`);
    return { subject: 'key lost of POST /api/v1/jobs', fault: `answers with ${body.job.id}, which does not exist` };
  },
  'a key without an answer': async () => {
    await createJob(studio.service, studio.key, {}, 'empty');
    await plant(sql`update idempotency_keys set status = 0 where key = 'empty'`);
    return { subject: 'key empty of POST /api/v1/jobs', fault: 'has no answer' };
  },
};

async function sessionWithMessages() {
  const { id } = await readySession(studio.service, studio.key);
  const row = await db()
    .selectFrom('intake_sessions')
    .select('last_seq')
    .where('id', '=', uuid(id))
    .executeTakeFirstOrThrow();
  return { id: id as string, last: row.last_seq };
}

/** The invoice of a plan that was bought at the sandbox. */
async function paidInvoice(): Promise<{ id: string; event: string }> {
  const { person } = await newCustomer(studio.service, 'studio');
  const { rows } = await sql<{ id: string; event: string }>`
    select id, event_id as event from provider_payments where account_id = ${person.accountId}`.execute(db());
  return rows[0]!;
}

async function newMail(kind: string, data: object): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into mails (kind, user_id, data, due_at, expires_at)
    values (${kind}, ${studio.ada.userId}, ${JSON.stringify(data)}, now() + interval '1 day', now() + interval '2 days')
    returning id`.execute(db());
  return rows[0]!.id;
}

/** A delivery that is tried once, a day from now, of the first event of a job. */
async function newDeliveryOf(seq: RawBuilder<unknown>, event: RawBuilder<unknown>): Promise<string> {
  const endpoint = await newEndpoint(studio);
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id, once, due_at)
    select account_id, ${uuid(endpoint.id)}, ${seq}, ${event}, type, job_id, true, now() + interval '1 day'
    from events where account_id = ${studio.ada.accountId} and type = 'job.created' limit 1
    returning id`.execute(db());
  return showId('dlv', rows[0]!.id);
}

test('a restore that left out the rights is named, and the statements of the manual mend it', async () => {
  await sql`grant all on ${sql.raw(unchangedTables.join(', '))} to current_user`.execute(db());
  expect((await faults()).toSorted()).toEqual(
    unchangedTables.map((table) => `${table} allows delete, truncate, update`).toSorted(),
  );
  const manual = await readFile(new URL('../../docs/operations/back-up.md', import.meta.url), 'utf8');
  await sql.raw(/^revoke update[^`]*/m.exec(manual)?.[0] ?? '').execute(db());
  expect(await faults()).toEqual([]);
  await expect(sql`update usage_ledger set plan_code = 'x'`.execute(db())).rejects.toThrow('permission denied');
});

describe('after a fault', () => {
  beforeAll(async () => void (await dropForeignKeys()));

  test('a rule that many rows break: all are counted, the first hundred are named', async () => {
    const { person } = await newCustomer(studio.service, 'studio');
    await plant(sql`
    insert into review_links (id, account_id, job_id, name, can_comment, prefix, secret_sha256, expires_at)
    select uuidv7(), ${person.accountId}, uuidv7(), 'A link', false, lpad(n::text, 8, '0'), sha256(n::text::bytea), now()
    from generate_series(1, 120) n`);
    const { contradictions } = await checkDatabase(db());
    expect(contradictions).toMatchObject([{ rule: 'A review link leads to a job that exists.', total: 120 }]);
    expect(contradictions[0]?.examples.length).toBe(100);
    expect(contradictions[0]?.examples[0]?.account_id).toBe(showId('acct', person.accountId));
    await plant(sql`delete from review_links where account_id = ${person.accountId}`);
  });

  test.each(Object.entries(contradictions))('%s is named', async (_, contradict) => {
    const { subject, fault } = await contradict();
    expect(await faults()).toContain(`${subject} ${fault}`);
  });
});
