import { VisuallyHidden } from '@mantine/core';
import type { Money } from '../../app/api.ts';
import { axisText } from './figure-chart.tsx';
import { BigFigures, sayCount, Swatch } from './figure-parts.tsx';
import { counted } from '../../ui/job/words.ts';
import { lastMonths, monthsBefore, sayInitial, sayMoney, sayMonth, thisMonth } from './money-words.ts';

type Plan = Money['plans'][number];

/** Shades of one colour; more plans share the last. */
const shades = [1, 0.55, 0.28, 0.16];
const shadeOf = (place: number): number => shades[Math.min(place, shades.length - 1)] ?? 1;

/** Codes in the order of the table; null, money of no plan, is last. */
const codesOf = ({ plans, months }: Money): (string | null)[] => [
  ...plans.map(({ plan_code: code }) => code),
  ...(months.some(({ plan_code: code }) => code === null) ? [null] : []),
];

/** One figure per currency, never a sum of several. */
export function MoneyFigures({ money }: { money: Money }) {
  const sold = new Set(money.plans.flatMap(({ price }) => price?.currency ?? []));
  const unpaid = [...sold].map((currency) => ({ currency, paid: 0, periods: 0, paid_before: 0 }));
  const currencies = money.currencies.length > 0 ? money.currencies : unpaid;
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

/** What was paid for the plan in the month, in each currency. */
const paidFor = ({ months, month }: Money, code: string | null) =>
  months.filter((row) => row.month === month && row.plan_code === code);

const sayPaid = (rows: { paid: number; currency: string }[]): string =>
  rows.map(({ paid, currency }) => sayMoney(paid, currency)).join(' + ') || '–';

const sumOf = (plans: readonly Plan[], field: 'accounts' | 'started' | 'ended'): number =>
  plans.reduce((sum, plan) => sum + plan[field], 0);
const orDash = (count: number) => (count === 0 ? '–' : sayCount(count));

/** A phone shows three of the columns. */
export function MoneyPlans({ money }: { money: Money }) {
  const { plans, month, currencies } = money;
  const isNow = month === thisMonth();
  const heads = ['Price', 'Accounts', 'New', 'Ended', 'Jobs used', sayMonth(month)];
  const cellsOf = ({ price, accounts, started, ended, used, quota }: Plan) => [
    price ? `${sayMoney(price.unit_amount, price.currency)} a ${price.interval}` : '',
    isNow ? sayCount(accounts) : '',
    orDash(started),
    orDash(ended),
    isNow && quota > 0 ? `${sayCount(used)} of ${sayCount(quota)}` : '',
  ];
  const sums = [isNow ? sayCount(sumOf(plans, 'accounts')) : '', orDash(sumOf(plans, 'started'))];
  return (
    <table className="list tight numbers" aria-label="Plans">
      <thead className="heard-on-phone">
        <tr>
          <th scope="col">Plan</th>
          {heads.map((head) => (
            <th key={head} scope="col" className="end">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {codesOf(money).map((code, place) => {
          const plan = plans.find(({ plan_code }) => plan_code === code);
          return (
            <Row
              key={code}
              name={plan?.name ?? 'Other'}
              shade={shadeOf(place)}
              detail={plan ? !plan.price && 'not sold any more' : 'no price of a plan'}
              heads={heads}
              cells={[...(plan ? cellsOf(plan) : ['', '', '', '', '']), sayPaid(paidFor(money, code))]}
            />
          );
        })}
        <Row name="All" heads={heads} cells={['', ...sums, orDash(sumOf(plans, 'ended')), '', sayPaid(currencies)]} />
      </tbody>
    </table>
  );
}

type RowProps = { name: string; shade?: number; detail?: string | false; heads: string[]; cells: string[] };

/** The row of all plans has no shade. */
const Row = ({ name, shade, detail, heads, cells }: RowProps) => (
  <tr>
    <td
      style={{ flex: '1 0 22%', fontWeight: shade === undefined ? 600 : 500 }}
      className={detail ? 'third' : undefined}
    >
      {shade !== undefined && <Swatch color="var(--accent)" opacity={shade} mr={8} />}
      <span className={detail ? undefined : 'ink'}>{name}</span>
      {detail && <span className="cell-second">{detail}</span>}
    </td>
    {heads.map((head, at) =>
      at === 1 || at === heads.length - 1 ? (
        <td key={head} className="end" data-head={cells[at] && head}>
          <span className="ink" style={{ fontWeight: at === 1 ? 500 : 600 }}>
            {cells[at]}
          </span>
        </td>
      ) : (
        <td key={head} className="end wide-only">
          {cells[at]}
        </td>
      ),
    )}
  </tr>
);
