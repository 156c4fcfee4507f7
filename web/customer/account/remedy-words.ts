import { type PlanFacts, planSentence, remedyOf } from '../../../contract/plans/plan-words.ts';
import { sayDay } from '../../ui/time/time.tsx';

/** What a person can do about a plan. `first`: why it cannot be changed to another one now. */
export function remedyWords(plan: PlanFacts): { button: string; first: string | null } {
  const { name } = plan;
  switch (remedyOf(plan)) {
    case 'resume':
      return { button: `Resume ${name}`, first: `Resume or end ${name} first.` };
    case 'pay':
      return { button: `Pay ${name}`, first: `Pay or end ${name} first.` };
    case 'keep':
      return {
        button: `Keep ${name}`,
        first: `${planSentence(plan, sayDay)} Keep it to change it, or choose another plan after that.`,
      };
    case 'ask':
      return { button: `End ${name}`, first: `End ${name} first, or ask the studio about its payment.` };
    default:
      return { button: `Change or end ${name}`, first: null };
  }
}
