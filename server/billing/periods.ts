import type { Period } from './anchored-month.ts';
import type { InvoiceEvent } from './provider-event.ts';

/** A plan of a period, with the invoice that was the latest when the price first named it. */
type NamedPlan = {
  code: string;
  invoice: string | null;
  /** When the payment failed, until the provider calls the subscription active again. */
  failedAt: Date | null;
  /** Named while the studio had paused the payments. */
  isUncollected: boolean;
};

/** A period of a subscription, as its events name it. */
export type NamedPeriod = Period & {
  /** The provider opens a period before it has collected: an active one is a promise. */
  basis: 'trial' | 'promise' | 'carried over';
  /** The plan it began with, then those it was changed to, each with a payment of its own. */
  plans: readonly [NamedPlan, ...NamedPlan[]];
  /** Opened while the studio had paused the payments. */
  isUncollected: boolean;
};

export type Invoices = ReadonlyMap<string, Pick<InvoiceEvent, 'outcome' | 'lines'> & { at: Date }>;

const overlap = (first: Period, second: Period) => first.start < second.end && second.start < first.end;

type Name = Pick<NamedPeriod, 'basis' | 'isUncollected'> & Pick<NamedPlan, 'code' | 'invoice'>;

/** The periods after an event has named one: a new one, or one that it moved. Oldest first. */
export function namePeriod(periods: readonly NamedPeriod[], period: Period, name: Name): NamedPeriod[] {
  const isMoved = (other: NamedPeriod) =>
    other.start >= period.start ||
    (overlap(other, period) && name.invoice !== null && other.plans.some(({ invoice }) => invoice === name.invoice));
  const moved = periods.findLast(isMoved);
  // A trial that ends early is over.
  const older = periods
    .filter((other) => !isMoved(other))
    .map((other) => (other.basis === 'trial' && other.end > period.start ? { ...other, end: period.start } : other));
  return [
    ...older,
    {
      ...period,
      basis: moved?.basis === 'carried over' ? moved.basis : name.basis,
      plans: namePlan(moved?.plans ?? null, name),
      isUncollected: name.isUncollected && (moved?.isUncollected ?? true),
    },
  ];
}

/** Called active, the plan is no longer failed, and neither is what its period began with. */
function namePlan(plans: NamedPeriod['plans'] | null, name: Name): NamedPeriod['plans'] {
  const { code, invoice } = name;
  if (plans === null) return [{ code, invoice, failedAt: null, isUncollected: name.isUncollected }];
  const [first, ...changes] = plans;
  // A change without an invoice of its own is settled by that of the period.
  const isUncollected = name.isUncollected && invoice !== null && invoice !== first.invoice;
  const began = { ...first, invoice: first.invoice ?? invoice, failedAt: null };
  const last = changes.at(-1) ?? first;
  if (last.code !== code) return [began, ...changes, { code, invoice, failedAt: null, isUncollected }];
  const again = { ...last, failedAt: null, isUncollected: last.isUncollected && name.isUncollected };
  return changes.length === 0 ? [began] : [began, ...changes.slice(0, -1), again];
}

type Failure = { at: Date; invoice: string | null; period: Period | null };

/**
 * The periods after a payment failed. The invoice says for which plan. Without it, it is that of the newest
 * period where the failure names it, but not of the first of all: a subscription begins once that is paid.
 */
export function failPeriods(periods: readonly NamedPeriod[], { at, invoice, period }: Failure): NamedPeriod[] {
  const moment = period ?? { start: at, end: new Date(at.getTime() + 1) };
  return periods.map((other, place) => {
    const isNewest = place > 0 && place === periods.length - 1;
    const isMeant = isNewest && other.basis === 'promise' && overlap(other, moment);
    const fail = (plan: NamedPlan): NamedPlan => {
      const fails = invoice !== null && plan.invoice !== null ? plan.invoice === invoice : isMeant;
      return fails ? { ...plan, failedAt: plan.failedAt ?? at } : plan;
    };
    const [first, ...changes] = other.plans;
    return { ...other, plans: [fail(first), ...changes.map(fail)] };
  });
}

/** A month's line does not pay for the year that begins with it. */
const paysFor = (line: Period, { start, end }: Period) =>
  line.end.getTime() === end.getTime() || (line.start.getTime() === start.getTime() && line.end >= end);
const touches = (line: Period, { start, end }: Period) =>
  line.end.getTime() === end.getTime() || line.start.getTime() === start.getTime();

/** What the invoices say of a period: that of its plan, and those with a line for it. */
function invoicesOf(period: NamedPeriod, invoices: Invoices) {
  return [...invoices].flatMap(([id, { outcome, lines, at }]) => {
    const counts =
      outcome === 'paid'
        ? lines.some((line) => paysFor(line.period, period))
        : id === period.plans[0].invoice || lines.some((line) => touches(line.period, period));
    return counts ? [{ outcome, at }] : [];
  });
}

/** `withdrawnAt`: since when nobody pays for it; null while it is served. `code`: the plan that is paid. */
export type JudgedPeriod = Period & {
  code: string;
  isPaid: boolean;
  isFailed: boolean;
  withdrawnAt: Date | null;
};

/** A promise holds until the provider says otherwise, however long that takes. */
export function judgePeriod(period: NamedPeriod, invoices: Invoices, servesUncollected: boolean): JudgedPeriod {
  const { start, end, basis, plans, isUncollected } = period;
  const [first] = plans;
  const about = invoicesOf(period, invoices);
  const isPaid = basis !== 'promise' || about.some(({ outcome }) => outcome === 'paid');
  const voided = about.find(({ outcome }) => outcome === 'void')?.at ?? null;
  const uncollected = isUncollected ? start : null;
  const unpaid = isUncollected && servesUncollected ? first.failedAt : (first.failedAt ?? voided ?? uncollected);
  const isServed = ({ invoice, failedAt, isUncollected: waits }: NamedPlan) => {
    const outcome = invoice === null ? undefined : invoices.get(invoice)?.outcome;
    return outcome === 'paid' || (failedAt === null && outcome !== 'void' && (servesUncollected || !waits));
  };
  const code = (plans.slice(1).findLast(isServed) ?? first).code;
  return {
    start,
    end,
    code,
    isPaid,
    isFailed: first.failedAt !== null && voided === null,
    withdrawnAt: isPaid ? null : unpaid,
  };
}
