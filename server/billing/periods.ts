import type { Period } from './anchored-month.ts';
import type { InvoiceEvent } from './provider-event.ts';

/** A period of a subscription, as its events name it. */
export type NamedPeriod = Period & {
  /** The invoice that was the latest when the period was first named. */
  invoice: string | null;
  /** The provider opens a period before it has collected: an active one is a promise. */
  basis: 'trial' | 'promise' | 'carried over';
  /** When the payment failed, until the provider calls the subscription active again. */
  failedAt: Date | null;
  /** Opened while the studio had paused the payments. */
  isUncollected: boolean;
};

export type Invoices = ReadonlyMap<string, Pick<InvoiceEvent, 'outcome' | 'lines'> & { at: Date }>;

const overlap = (first: Period, second: Period) => first.start < second.end && second.start < first.end;
const isSameInvoice = (first: string | null, second: string | null) => first !== null && first === second;

type Name = Pick<NamedPeriod, 'basis' | 'invoice' | 'isUncollected'>;

/** The periods after an event has named one: a new one, or one that it moved. Oldest first. */
export function namePeriod(periods: readonly NamedPeriod[], period: Period, name: Name): NamedPeriod[] {
  const isMoved = (other: NamedPeriod) =>
    other.start >= period.start || (overlap(other, period) && isSameInvoice(other.invoice, name.invoice));
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
      invoice: moved?.invoice ?? name.invoice,
      failedAt: null,
      isUncollected: name.isUncollected && (moved?.isUncollected ?? true),
    },
  ];
}

type Failure = { at: Date; invoice: string | null; period: Period | null };

/**
 * The periods after a payment failed. The invoice says which one. Without it, it is the newest one where the
 * failure names it, but not the first of all: the provider begins a subscription only once that is paid.
 */
export function failPeriods(periods: readonly NamedPeriod[], { at, invoice, period }: Failure): NamedPeriod[] {
  const moment = period ?? { start: at, end: new Date(at.getTime() + 1) };
  return periods.map((other, place) => {
    const isNewest = place > 0 && place === periods.length - 1;
    const fails =
      invoice !== null && other.invoice !== null
        ? other.invoice === invoice
        : isNewest && other.basis === 'promise' && overlap(other, moment);
    return fails ? { ...other, failedAt: other.failedAt ?? at } : other;
  });
}

/** What the invoices say of a period: those of its id, and those with a line for it. */
function invoicesOf(period: NamedPeriod, invoices: Invoices) {
  const isFor = (line: Period) =>
    line.start.getTime() === period.start.getTime() || line.end.getTime() === period.end.getTime();
  return [...invoices].flatMap(([id, { outcome, lines, at }]) => {
    const covers = lines.some((line) => isFor(line.period));
    const counts = outcome === 'paid' ? covers : covers || isSameInvoice(id, period.invoice);
    return counts ? [{ outcome, at }] : [];
  });
}

/** `withdrawnAt`: since when nobody pays for it; null while it is served. */
export type JudgedPeriod = NamedPeriod & { isPaid: boolean; withdrawnAt: Date | null };

/** A promise holds until the provider says otherwise, however long that takes. */
export function judgePeriod(period: NamedPeriod, invoices: Invoices, servesUncollected: boolean): JudgedPeriod {
  const about = invoicesOf(period, invoices);
  const isPaid = period.basis !== 'promise' || about.some(({ outcome }) => outcome === 'paid');
  const voided = about.find(({ outcome }) => outcome === 'void')?.at ?? null;
  const uncollected = period.isUncollected ? period.start : null;
  const unpaid =
    period.isUncollected && servesUncollected ? period.failedAt : (period.failedAt ?? voided ?? uncollected);
  return { ...period, isPaid, withdrawnAt: isPaid ? null : unpaid };
}
