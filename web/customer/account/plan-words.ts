import { isPlain, isRunning, type PlanFacts, planLabel, whyStopped } from '../../../contract/plans/plan-words.ts';
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
    return first.status === 'paused' || first.status === 'stopped' ? `Plan ${first.status}` : labelOf(first);
  return plans.map((plan) => (isOrdinary(plan) ? factsOf(plan).name : namedLabel(factsOf(plan)))).join(', ');
}

const labelOf = (plan: Plan): string => planLabel(factsOf(plan), sayDay);

/** "Solo: ends on 3 Dec". */
export function namedLabel({ name, ...plan }: PlanFacts): string {
  const label = planLabel(plan, sayDay);
  return `${name}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

export const planNames = ({ plan_codes: codes }: Session['plans']): string => `${codes.map(capital).join(', ')} plan`;

export function noPlanWords({ plans }: Session['plans']): string {
  const stopped = plans.filter(isInTrouble);
  return stopped.length === 0
    ? 'The account has no active plan'
    : stopped.map((plan) => whyStopped(factsOf(plan))).join('. ');
}

/** What needs a visit to the provider or a word with the studio: it gives no access, or soon none. */
export const isInTrouble = (plan: Pick<Plan, 'status' | 'ends_at'>): boolean =>
  isRunning(plan) && plan.status !== 'active';

export const hasStopped = ({ plans }: Session['plans']): boolean => plans.some(isInTrouble);
