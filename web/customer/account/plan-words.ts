import {
  isPlain,
  isRunning,
  type PlanFacts,
  planLabel,
  planSentence,
  remedyOf,
  whyStopped,
} from '../../../contract/plans/plan-words.ts';
import type { Session } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';

type Plan = Session['plans']['plans'][number];

const capital = (code: string) => code.charAt(0).toUpperCase() + code.slice(1);
/** The session knows codes and no periods. */
const factsOf = ({ plan_code: code, ...plan }: Plan) => ({ ...plan, name: capital(code), period: null });
const isOrdinary = (plan: Plan) => isPlain(factsOf(plan));

/** "Solo, Agent plan", or what is special: "Ends on 3 Dec", "Agent, Solo: stopped". */
export function planWords({ plans }: Session['plans']): string {
  const [first, ...others] = plans;
  if (!first) return 'no plan';
  if (plans.every(isOrdinary)) return `${plans.map(({ plan_code: code }) => capital(code)).join(', ')} plan`;
  if (others.length === 0)
    return first.status === 'paused' || first.status === 'stopped'
      ? `Plan ${first.status}`
      : planLabel(factsOf(first), sayDay);
  return plans.map((plan) => (isOrdinary(plan) ? factsOf(plan).name : namedLabel(factsOf(plan)))).join(', ');
}

/** "Solo: ends on 3 Dec". */
export function namedLabel({ name, ...plan }: PlanFacts): string {
  const label = planLabel(plan, sayDay);
  return `${name}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

export const planNames = ({ plan_codes: codes }: Session['plans']): string => `${codes.map(capital).join(', ')} plan`;

export function noPlanWords({ plans }: Session['plans']): string {
  const stopped = plans.filter(isInTrouble).map((plan) => whyStopped(factsOf(plan)));
  return stopped.join('. ') || 'The account has no active plan';
}

/** Gives no access, or soon none: the payment provider or the studio has to be asked. */
export const isInTrouble = (plan: Pick<Plan, 'status' | 'ends_at'>): boolean =>
  isRunning(plan) && plan.status !== 'active';

export const hasStopped = ({ plans }: Session['plans']): boolean => plans.some(isInTrouble);

/** What a person can do about a plan. `first`: why it cannot be changed to another one now. */
export function remedyWords(plan: PlanFacts): { button: string; first: string | null } {
  const { name } = plan;
  const remedies = {
    resume: { button: `Resume ${name}`, first: `Resume or end ${name} first.` },
    pay: { button: `Pay ${name}`, first: `Pay or end ${name} first.` },
    keep: {
      button: `Keep ${name}`,
      first: `${planSentence(plan, sayDay)} Keep it to change it, or choose another plan after that.`,
    },
    ask: { button: `End ${name}`, first: `End ${name} first, or ask the studio about its payment.` },
  };
  const remedy = remedyOf(plan);
  return remedy === null ? { button: `Change or end ${name}`, first: null } : remedies[remedy];
}
