import { type RawBuilder, sql } from 'kysely';
import type { NotificationKind } from '../../contract/people/notifications.ts';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { showId } from '../lib/id.ts';
import { planNotice } from './plan-notice.ts';

export type NotificationRow = {
  id: string;
  kind: NotificationKind;
  cause: string;
  state: string | null;
  account_id: string | null;
  job_id: string | null;
  about: string;
  /** Who asked, where a person did. */
  by_name: string | null;
  created_at: Date;
  read_at: Date | null;
  words?: { author: string; text: string } | null;
};

export const notificationColumns = sql`n.id, n.kind, n.cause, n.state, n.account_id, n.job_id, n.about, n.created_at, n.read_at,
  (select p.name from people p where p.id = n.by_user) as by_name`;

const firstWords = (author: string, text: string) =>
  sql`json_build_object('author', ${sql.raw(author)}, 'text', left(btrim(regexp_replace(${sql.raw(text)}, '\\s+', ' ', 'g')), 140))`;
const ofJob = (row: string) => sql.raw(`${row}.account_id = n.account_id and ${row}.job_id = n.job_id`);
const byName = (row: string) => `coalesce((select p.name from people p where p.id = ${row}.user_id),
  (select k.name from api_keys k where k.id = ${row}.api_key_id), '')`;
const newestMessage = (author: string, whose: string) => sql`(select ${firstWords(author, 'm.text')} from job_messages m
  where ${ofJob('m')} and m.withdrawn_at is null and ${sql.raw(whose)} order by m.id desc limit 1)`;

/** What colleagues and guests of the person of a notification `n` said. Ids have the order of time. */
export const saidByOthers = (accountId: RawBuilder<unknown>, jobId: RawBuilder<unknown>) => sql`(
  select m.id, m.text, m.user_id, m.api_key_id, null as guest_name from job_messages m
  where m.account_id = ${accountId} and m.job_id = ${jobId} and m.user_id is distinct from n.user_id
    and m.author = 'customer' and m.withdrawn_at is null
  union all
  select c.id, c.text, c.user_id, c.api_key_id, c.guest_name from job_comments c
  where c.account_id = ${accountId} and c.job_id = ${jobId} and c.user_id is distinct from n.user_id
  union all
  select r.id, r.text, r.user_id, r.api_key_id, r.guest_name from comment_replies r
  where r.account_id = ${accountId} and r.job_id = ${jobId} and r.user_id is distinct from n.user_id)`;

/** The newest words behind a notification `n`. Joined when it is read: no copy keeps what was taken back. */
export const wordsColumn = sql`case n.kind
  when 'message' then ${newestMessage(`'The studio'`, `m.author <> 'customer'`)}
  when 'customer_message' then ${newestMessage(byName('m'), `m.author = 'customer'`)}
  when 'colleague' then (select ${firstWords(`coalesce(s.guest_name, ${byName('s')})`, 's.text')}
    from ${saidByOthers(sql`n.account_id`, sql`n.job_id`)} s order by s.id desc limit 1)
  when 'returned' then (select ${firstWords('(select p.name from people p where p.id = t.author_id)', 't.body')} from job_notes t
    where ${ofJob('t')} and t.created_at = n.created_at limit 1)
  when 'handed_over' then (select ${firstWords('(select p.name from people p where p.id = t.author_id)', 't.body')}
    from jobs j join job_notes t on t.account_id = j.account_id and t.job_id = j.id and t.created_at = j.held_since
    where j.account_id = n.account_id and j.id = n.job_id limit 1)
  when 'delivered' then (select ${firstWords(`'The studio'`, 's.message')} from job_submissions s
    where ${ofJob('s')} and s.released_at is not null and s.message <> '' order by s.released_at desc limit 1)
  when 'rejected' then (select ${firstWords(`'The studio'`, 'j.reason_message')} from jobs j
    where j.account_id = n.account_id and j.id = n.job_id and j.reason_message <> '') end as words`;

type Words = { title: string; text: (about: string) => string; page: string; button: string };

const onJob = (title: string, text: Words['text'], button = 'Look at the job'): Words => ({
  title,
  text,
  page: customerPages.job,
  button,
});

const atDesk = (title: string, text: Words['text']): Words => ({
  title,
  text,
  page: deskPages.job,
  button: 'Open the job',
});

const onPayments = (title: string, text: Words['text']): Words => ({
  title,
  text,
  page: deskPages.payments,
  button: 'Open the payments',
});
const paymentWords: Record<string, Words> & Record<'refused', Words> = {
  refused: onPayments(
    'An event needs a look',
    (about) => `An event of the payment provider was ignored and needs a look: ${about}.`,
  ),
  refunded: onPayments('A payment was refunded', (about) => `A payment was refunded: ${about}.`),
  disputed: onPayments(
    'A payment is disputed',
    (about) => `A payment is disputed: ${about}. Answer it at the payment provider.`,
  ),
};

const onAccount = (title: string, text: Words['text']): Words => ({
  title,
  text,
  page: deskPages.account,
  button: 'Open the account',
});
const customerPlanWords: Record<string, Words> & Record<'changed', Words> = {
  overdue: onAccount('A payment is overdue', (about) => `The payment of a customer is overdue: ${about}.`),
  not_paid: onAccount('A plan is not paid', (about) => `The plan of a customer is not paid: ${about}.`),
  stopped: onAccount('A plan has stopped', (about) => `The plan of a customer has stopped: ${about}.`),
  ended: onAccount('A plan has ended', (about) => `The plan of a customer has ended: ${about}.`),
  /** The words for a kind of a later version. */
  changed: onAccount('A plan has changed', (about) => `The plan of a customer has changed: ${about}.`),
};

const lostWords: Record<string, [title: string, verb: string]> & Record<'held', [string, string]> = {
  held: ['Taken over', 'took over'],
  handed: ['Handed on', 'handed a colleague'],
  released: ['Released', 'released'],
};

const byKind: Record<NotificationKind, (state: string | null, by: string, about: string) => Words> = {
  message: () => onJob('New message', (job) => `The studio wrote about "${job}".`, 'Read and answer'),
  delivered: (state) =>
    onJob(
      state === 'again' ? 'Delivered again' : 'Ready for your review',
      (job) => `The studio has delivered "${job}".`,
      'Look at the work',
    ),
  asked_to_look: (_state, by) => ({
    ...onJob(
      `${by} asks you to look`,
      (job) => `${by} asks you to look at "${job}" and to say what you think.`,
      'Look at the work',
    ),
    page: `${customerPages.job}?review=newest`,
  }),
  colleague: (state) =>
    onJob(
      state === 'comment' ? 'New comment' : 'New message of a colleague',
      (job) => `A colleague or a guest wrote about "${job}".`,
    ),
  approval_due: () =>
    onJob(
      'Approved automatically soon',
      (job) => `Within a day, the delivery of "${job}" is approved automatically. You can still ask for changes.`,
      'Look at the work',
    ),
  rejected: () => onJob('Rejected', (job) => `The studio rejected "${job}". The page of the job has the reason.`),
  order_waiting: () => ({
    title: 'An order waits for you',
    text: (job) => `A colleague ordered "${job}". Nothing is made until an owner or admin confirms it.`,
    page: customerPages.order,
    button: 'Look at the order',
  }),
  order_decided: (state) => ({
    title: state === 'confirmed' ? 'Your order was confirmed' : 'Your order was declined',
    text: (job) =>
      state === 'confirmed'
        ? `An owner or admin confirmed "${job}": the studio has it.`
        : `An owner or admin declined "${job}". The page of the order says why.`,
    page: state === 'confirmed' ? customerPages.job : customerPages.order,
    button: state === 'confirmed' ? 'Look at the job' : 'See why',
  }),
  ordered_for_you: (_state, by) =>
    onJob(
      'Ordered for you',
      (job) => `${by} of the studio ordered "${job}" for you. It counts like an order of yours.`,
    ),
  plan: (state) => ({
    ...(planNotice(state) ?? { title: 'Your plan has changed', text: (name) => `The plan "${name}" has changed.` }),
    page: customerPages.plans,
    button: 'See your plans',
  }),
  webhook: (state) => ({
    title: state === 'disabled' ? 'A webhook endpoint was disabled' : 'A webhook endpoint is failing',
    text: (url) => `No event could be delivered to this webhook endpoint: ${url}`,
    page: customerPages.webhooks,
    button: 'Open the webhooks page',
  }),
  key_expiring: () => ({
    title: 'An API key ends within a week',
    text: (name) =>
      `The API key "${name}" ends within a week. Make another one before, and give it to what uses this one.`,
    page: customerPages.keys,
    button: 'Open the page of keys',
  }),
  sign_in: () => ({
    title: 'Sign-in from a new place',
    text: (device) =>
      `Somebody signed in as you with ${device}, from a network that you have not used before. If this was not you, end the session and change your password now.`,
    page: customerPages.settings,
    button: 'See where you are signed in',
  }),
  customer_message: () => atDesk('New message of a customer', (job) => `The customer wrote about "${job}".`),
  handed_over: () => atDesk('Handed to you', (job) => `"${job}" was handed to you.`),
  revision_requested: () => atDesk('Changes requested', (job) => `The customer asks for changes to "${job}".`),
  question_answered: () =>
    atDesk('Question answered', (job) => `The customer answered about "${job}": the clock runs again.`),
  returned: (_state, by) => atDesk('Returned to you', (job) => `${by} returned "${job}". The note on it says why.`),
  taken_over: (state, by) => {
    const [title, verb] = lostWords[state ?? ''] ?? lostWords.held;
    return atDesk(`${title} by ${by}`, (job) => `${by} ${verb} "${job}", which you held.`);
  },
  canceled: () => atDesk('Canceled by the customer', (job) => `The customer canceled "${job}".`),
  rejected_by_colleague: (_state, by) => atDesk(`Rejected by ${by}`, (job) => `${by} rejected "${job}".`),
  in_review: () => atDesk('Work waits for review', (job) => `"${job}" waits for review.`),
  unheld_due: (_state, _by, about) => ({
    title: 'Jobs that nobody holds',
    text: (count) => `Of the jobs that nobody holds, ${count}.`,
    page: `${deskPages.queue}?${about.includes('overdue') ? 'tab=overdue&' : ''}holder=none`,
    button: 'Open the queue',
  }),
  due_soon: () => atDesk('Due within two hours', (job) => `"${job}" is due within two hours.`),
  overdue: () => atDesk('Overdue', (job) => `"${job}" is overdue.`),
  parked: () => atDesk('Parked', (job) => `"${job}" is parked: workers took it five times and did not finish it.`),
  lease_lost: () =>
    atDesk('A worker lost it', (job) => `A worker stopped answering about "${job}", which is free again.`),
  payment_needs_look: (state) => paymentWords[state ?? ''] ?? paymentWords.refused,
  customer_plan: (state) => customerPlanWords[state ?? ''] ?? customerPlanWords.changed,
};

/** The page of an order is found by the cause, which is its id. */
function idOn(page: string, { account_id, job_id, cause }: About): string | null {
  if (page === customerPages.order) return showId('ord', cause);
  if (page === deskPages.account) return account_id && showId('acct', account_id);
  return job_id && showId('job', job_id);
}

type About = Omit<NotificationRow, 'id' | 'created_at' | 'read_at'>;

export function wordsOf(row: About) {
  const { title, text, page, button } = byKind[row.kind](row.state, row.by_name || 'A colleague', row.about);
  const id = idOn(page, row);
  const path = id === null ? page : page.replace(':id', id);
  return { title, text: text(row.about), path, button };
}
