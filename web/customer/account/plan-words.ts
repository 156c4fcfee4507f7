import type { Entitlement } from '../../app/api.ts';
import type { Session } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';

export function planWords({ plan_codes: codes, paused, past_due: overdue }: Session['plans']): string {
  const named = codes.map(capital);
  if (paused.length > 0) return [...named, codes.length > 0 ? `${listed(paused)} paused` : 'Plan paused'].join(', ');
  if (overdue.length > 0) return 'Payment overdue';
  return codes.length > 0 ? `${named.join(', ')} plan` : 'no plan';
}

export function noPlanWords({ paused, past_due: overdue }: Session['plans']): string {
  if (paused.length > 0) return `${listed(paused)} is paused`;
  if (overdue.length > 0) return `The payment for ${listed(overdue)} is overdue`;
  return 'The account has no active plan';
}

const capital = (code: string) => code.charAt(0).toUpperCase() + code.slice(1);
const listed = (codes: string[]) => codes.map(capital).join(' and ');

export const hasStopped = ({ paused, past_due: overdue }: Session['plans']): boolean =>
  paused.length + overdue.length > 0;

export function stateWords({ name, status, period, updated_at: changed }: Entitlement): string {
  const isOver = Date.parse(period.end) <= Date.now();
  switch (status) {
    case 'active':
      return `You have ${name}; the period ends on ${sayDay(period.end)}.`;
    case 'paused':
      return `${name} has been paused since ${sayDay(changed)}: nothing can be ordered with it until it is resumed.`;
    case 'past_due':
      return isOver
        ? `The payment for ${name} is overdue, and its period ended on ${sayDay(period.end)}: nothing can be ordered with it until it is paid.`
        : `The payment for ${name} is overdue; you can order with it until ${sayDay(period.end)}.`;
    case 'canceled':
      return `${name} ended on ${sayDay(changed)}.`;
    case 'expired':
      return `The period of ${name} ended on ${sayDay(period.end)}, and no renewal has arrived.`;
  }
}
