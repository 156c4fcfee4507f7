import { VisuallyHidden } from '@mantine/core';
import type { Money } from '../../app/api.ts';
import { axisText } from './figure-chart.tsx';
import { BigFigures } from './figure-parts.tsx';
import { counted } from '../../ui/job/words.ts';
import { lastMonths, monthsBefore, sayInitial, sayMoney, sayMonth, thisMonth } from './money-words.ts';

/** Shades of one colour; more plans share the last. */
const shades = [1, 0.55, 0.28, 0.16];
export const shadeOf = (place: number): number => shades[Math.min(place, shades.length - 1)] ?? 1;

/** Codes in the order of the table; null, money of no plan, is last. */
export const codesOf = ({ plans, months }: Money): (string | null)[] => [
  ...plans.map(({ plan_code: code }) => code),
  ...(months.some(({ plan_code: code }) => code === null) ? [null] : []),
];

/** One figure per currency, never a sum of several. */
export function MoneyFigures({ money }: { money: Money }) {
  const currencies =
    money.currencies.length > 0
      ? money.currencies
      : [...new Set(money.plans.flatMap(({ price }) => price?.currency ?? []))].map((currency) => ({
          currency,
          paid: 0,
          periods: 0,
          paid_before: 0,
        }));
  const { month } = money;
  const name = sayMonth(month);
  const before = monthsBefore(month, 1);
  return currencies.map(({ currency, paid, periods, paid_before }) => (
    <div key={currency} className="row between" style={{ alignItems: 'flex-end', gap: '16px 36px' }}>
      <div className="numbers" style={{ flex: '1 1 220px' }}>
        <BigFigures
          figures={[{ term: month === thisMonth() ? `${name}, until today` : name, value: sayMoney(paid, currency) }]}
        />
        <p className="small second">
          {counted(periods, 'paid period')}. {sayMonth(before)}: {sayMoney(paid_before, currency)}.
        </p>
      </div>
      <MonthBars money={money} currency={currency} />
    </div>
  ));
}

const height = 64;
const step = 36;

/** None in the first month: there is nothing to compare. */
function MonthBars({ money, currency }: { money: Money; currency: string }) {
  const rows = money.months.filter((row) => row.currency === currency);
  if (!rows.some(({ month }) => month !== money.month)) return null;
  const codes = codesOf(money);
  const months = lastMonths(money.month, 12).map((month) => {
    const parts = codes.map((code) =>
      rows.reduce((sum, row) => sum + (row.month === month && row.plan_code === code ? row.paid : 0), 0),
    );
    return { month, parts, total: parts.reduce((sum, part) => sum + part, 0) };
  });
  const most = Math.max(1, ...months.map(({ total }) => total));
  return (
    <figure aria-label={`Paid in ${currency.toUpperCase()} by month`} style={{ flex: '0 1 432px' }}>
      <svg display="block" width="100%" viewBox={`0 0 ${step * 12} ${height + 20}`} aria-hidden>
        {months.map(({ month, parts, total }, at) => (
          <g key={month}>
            <title>{`${sayMonth(month)}: ${sayMoney(total, currency)}`}</title>
            <Bar parts={parts} most={most} x={at * step + 8} />
            <text {...axisText} x={at * step + step / 2} y={height + 17} textAnchor="middle">
              {sayInitial(month)}
            </text>
          </g>
        ))}
      </svg>
      <VisuallyHidden component="ul">
        {months.map(({ month, total }) => (
          <li key={month}>{`${sayMonth(month)}: ${sayMoney(total, currency)}`}</li>
        ))}
      </VisuallyHidden>
    </figure>
  );
}

/** The first plan of the table is on top. */
function Bar({ parts, most, x }: { parts: number[]; most: number; x: number }) {
  let top = height - (parts.reduce((sum, part) => sum + part, 0) / most) * height;
  return parts.map((part, place) => {
    const y = top;
    top += (part / most) * height;
    return part === 0 ? null : (
      <rect
        key={place}
        fill="var(--accent)"
        opacity={shadeOf(place)}
        x={x}
        y={y}
        width={step - 16}
        height={Math.max(top - y - 1, 1)}
        rx={2}
      />
    );
  });
}
