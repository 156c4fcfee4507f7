/**
 * What a plan is called in each of its states, and what can be done about it. Pages, mails, refusals and the
 * command line use these words and no others. This file imports nothing, because the command line has a copy.
 */
export type PlanFacts = {
  name: string;
  status: 'active' | 'past_due' | 'paused' | 'stopped' | 'canceled' | 'expired';
  // A service of the previous version does not send these.
  /** `trial`: nothing was paid yet. `not_paid`: the provider has given up an invoice. */
  status_detail?: 'trial' | 'not_paid' | null;
  ends_at?: string | null;
  paid_until?: string | null;
  collection_paused?: boolean;
  /** Null if no period was ever granted. */
  period: { end: string } | null;
};
type State = Omit<PlanFacts, 'name' | 'period'>;
type Timed = Omit<PlanFacts, 'name'>;
/** Writes a time for the reader. */
type Day = (time: string) => string;

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The provider ends a plan at its date, whether or not the event of it arrives. */
export const hasEnded = ({ status, ends_at: end = null }: Pick<State, 'status' | 'ends_at'>): boolean =>
  status === 'canceled' || (end !== null && isPast(end));

/** Still a subscription at the provider: a second one beside it would be charged, too. */
export const isRunning = (plan: Pick<State, 'status' | 'ends_at'>): boolean =>
  !hasEnded(plan) && plan.status !== 'expired';

/** When orders end or a new period begins, whichever is first. */
export const servesUntil = ({
  ends_at: end = null,
  period,
}: Pick<State, 'ends_at'> & { period: { end: string } }): string =>
  end !== null && Date.parse(end) < Date.parse(period.end) ? end : period.end;

/** An overdue plan serves to the end of its paid period, without hours of grace. */
export const isUsable = ({ period, ...plan }: Timed): boolean =>
  !hasEnded(plan) &&
  (plan.status === 'active' || (plan.status === 'past_due' && period !== null && !isPast(period.end)));

/** Whether a new period follows the current one, as far as anybody knows. */
export const renews = ({ status, ends_at: end = null, collection_paused = false, period }: Timed): boolean =>
  status === 'active' &&
  !collection_paused &&
  (end === null || (period !== null && Date.parse(end) > Date.parse(period.end)));

/** Active and nothing else is to be said of it. */
export const isPlain = (plan: Timed): boolean =>
  renews(plan) && remedyOf(plan) === null && (plan.status_detail ?? null) === null;

/** What lets it go on: a visit to the provider, or a word with the studio. */
export function remedyOf(plan: State): 'resume' | 'pay' | 'keep' | 'ask' | null {
  if (!isRunning(plan)) return null;
  if (plan.status === 'paused') return 'resume';
  if (plan.status === 'past_due') return 'pay';
  if (plan.status === 'stopped') return plan.collection_paused ? 'ask' : 'pay';
  return (plan.ends_at ?? null) === null ? null : 'keep';
}

/** What lets it go on, where no button does it. */
export const remedySentences = {
  resume: 'An owner or admin can resume it on the Plans page.',
  pay: 'An owner or admin can pay it on the Plans page.',
  keep: 'An owner or admin can take the end back on the Plans page.',
  ask: 'Ask the studio about it.',
};

/** In a few words, such as "Ends on 3 Dec". */
export function planLabel(plan: State, day: Day): string {
  const { status, status_detail: detail, ends_at: end = null, paid_until: paid = null } = plan;
  if (hasEnded(plan)) return end === null ? 'Ended' : `Ended on ${day(end)}`;
  if (status === 'paused') return 'Paused';
  if (status === 'stopped') return 'Stopped';
  if (status === 'past_due') return detail === 'not_paid' ? 'Not paid' : 'Payment overdue';
  if (status === 'expired') return 'Not renewed';
  if (end !== null) return `Ends on ${day(end)}`;
  if (plan.collection_paused) return 'Payment is paused';
  if (detail === 'trial') return paid === null ? 'Trial' : `Trial until ${day(paid)}`;
  return 'Active';
}

/** In a sentence or two, with what it means for orders. */
export function planSentence(plan: PlanFacts, day: Day): string {
  const { name, status, ends_at: end = null, paid_until: paid = null, period } = plan;
  if (hasEnded(plan)) return `${capital(name)} ${end === null ? 'has ended' : `ended on ${day(end)}`}.`;
  if (status === 'active') return activeSentence(plan, day);
  if (status === 'expired')
    return `The period of ${name} ended${period ? ` on ${day(period.end)}` : ''}, and no renewal has arrived.`;
  const ends = end === null ? '' : ` It ends on ${day(end)}.`;
  if (period !== null && isUsable(plan))
    return `${whyStopped(plan)}; you can order with it until ${day(servesUntil({ ends_at: end, period }))}.${ends}`;
  const over =
    status === 'past_due' && paid !== null && isPast(paid) ? `, and what was paid ended on ${day(paid)}` : '';
  return `${whyStopped(plan)}${over}: nothing can be ordered with it until ${whatIsNeeded(plan)}.${ends}`;
}

function activeSentence(plan: PlanFacts, day: Day): string {
  const { name, status_detail: detail, ends_at: end = null, paid_until: paid = null, period } = plan;
  const paused = plan.collection_paused === true;
  if (end !== null)
    return `${capital(name)} ends on ${day(end)}; nothing is charged after it.${paused ? ' Its payment is paused.' : ''}`;
  const until = period === null || isPast(period.end) ? '' : `; you can order with it until ${day(period.end)}`;
  if (paused) return `The payment for ${name} is paused${until}.`;
  if (detail === 'trial')
    return paid === null ? `${capital(name)} is on trial.` : `The trial of ${name} lasts until ${day(paid)}.`;
  if (period === null) return `${capital(name)} is active.`;
  return isPast(period.end)
    ? `${capital(name)} is active; its period ended on ${day(period.end)}, and no renewal has arrived yet.`
    : `${capital(name)} is active; its period ends on ${day(period.end)}.`;
}

/** Why nothing, or soon nothing, can be ordered with it. Without a full stop. */
export function whyStopped({ name, status, status_detail, collection_paused }: State & { name: string }): string {
  if (status === 'paused') return `${capital(name)} is paused`;
  if (status === 'stopped')
    return `${capital(name)} has stopped, because ${collection_paused ? 'its payment is paused' : 'it is not paid'}`;
  return status_detail === 'not_paid' ? `${capital(name)} is not paid` : `The payment for ${name} is overdue`;
}

/** Why the account cannot be closed yet. */
export function whyNotClosed(plan: State & { name: string }, day: Day): string {
  const { name, status, ends_at: end = null } = plan;
  if (end !== null) return `${capital(name)} ends on ${day(end)}: the account can be closed after that.`;
  if (status === 'active') return `${capital(name)} is active.`;
  if (status === 'expired') return `${capital(name)} was not renewed, but may still exist at the payment provider.`;
  return `${whyStopped(plan)}, but its subscription still exists at the payment provider.`;
}

function whatIsNeeded({ status, collection_paused }: State): string {
  if (status === 'paused') return 'a way to pay is added and it is resumed';
  if (status === 'past_due') return 'it is paid';
  return collection_paused ? 'the studio resumes its payment' : 'its newest invoice is paid';
}
