import { type PlanFacts, planSentence, whyStopped } from '../../contract/plans/plan-words.ts';
import { sayMoment } from '../lib/moment.ts';

/** What a notification about a plan says happened. */
type PlanNews =
  | 'active'
  | 'resumed'
  | 'past_due'
  | 'not_paid'
  | 'stopped'
  | 'uncollected'
  | 'paused'
  | 'collection_paused'
  | 'ends'
  | 'kept'
  | 'canceled';

/** `state` of a notification: what happened, and the time that belongs to it. */
export const planState = (news: PlanNews, time: Date | null): string => (time ? `${news} ${time.toISOString()}` : news);

const running = { status: 'active', status_detail: null, ends_at: null, paid_until: null, period: null } as const;
const facts: PlanFacts = { ...running, name: '', collection_paused: false };
type Notice = { title: string; text: (name: string, time: string | null) => string };

const notices: Record<PlanNews, Notice> = {
  active: { title: 'Your plan is active', text: (name) => `The plan "${name}" is active: you can order with it.` },
  resumed: {
    title: 'Your plan goes on',
    text: (name) => `The plan "${name}" goes on: you can order with it.`,
  },
  past_due: { title: 'A payment is overdue', text: (name, time) => overdue(name, time, null) },
  not_paid: { title: 'Your plan is not paid', text: (name, time) => overdue(name, time, 'not_paid') },
  stopped: { title: 'Your plan has stopped', text: (name) => `${sentence(name, { status: 'stopped' })} ${jobsGoOn}` },
  uncollected: {
    title: 'Your plan has stopped',
    text: (name) => `${sentence(name, { status: 'stopped', collection_paused: true })} ${jobsGoOn}`,
  },
  paused: { title: 'Your plan is paused', text: (name) => `${sentence(name, { status: 'paused' })} ${jobsGoOn}` },
  collection_paused: {
    title: 'The payment for your plan is paused',
    text: (name, time) => sentence(name, { collection_paused: true, period: time === null ? null : { end: time } }),
  },
  ends: { title: 'Your plan will end', text: (name, time) => sentence(name, { ends_at: time }) },
  kept: {
    title: 'Your plan will not end',
    text: (name) => `The plan "${name}" no longer has a date on which it ends.`,
  },
  canceled: {
    title: 'Your plan has ended',
    text: (name, time) => `${sentence(name, { status: 'canceled', ends_at: time })} ${jobsGoOn}`,
  },
};
const jobsGoOn = 'Jobs that were ordered with it go on.';

/** The previous version writes no time, although orders may still go. */
const overdue = (name: string, time: string | null, status_detail: 'not_paid' | null): string =>
  time === null
    ? `${whyStopped({ status: 'past_due', status_detail, name: inQuotes(name) })}. Nothing can be ordered beyond what was paid.`
    : sentence(name, { status: 'past_due', status_detail, paid_until: time, period: { end: time } });

const inQuotes = (name: string) => `the plan "${name}"`;
const sentence = (name: string, change: Partial<PlanFacts>): string =>
  planSentence({ ...facts, ...change, name: inQuotes(name) }, sayMoment);

/** Null for a state that a later version wrote. */
export function planNotice(state: string | null): { title: string; text: (name: string) => string } | null {
  const [news = '', time = null] = (state ?? '').split(' ');
  if (!Object.hasOwn(notices, news)) return null;
  const { title, text } = notices[news as PlanNews];
  return { title, text: (name) => text(name, time) };
}
