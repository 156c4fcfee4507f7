import type { Money } from '../../app/api.ts';
import { Swatch, sayCount } from './figure-parts.tsx';
import { codesOf, shadeOf } from './money-figures.tsx';
import { sayMoney, sayMonth, thisMonth } from './money-words.ts';

type Plan = Money['plans'][number];

/** What was paid for the plan in the month, in each currency. */
const paidFor = ({ months, month }: Money, code: string | null): string =>
  months
    .filter((row) => row.month === month && row.plan_code === code)
    .map(({ paid, currency }) => sayMoney(paid, currency))
    .join(' + ') || '–';

const sumOf = (plans: readonly Plan[], field: 'accounts' | 'started' | 'ended'): number =>
  plans.reduce((sum, plan) => sum + plan[field], 0);
const orDash = (count: number) => (count === 0 ? '–' : sayCount(count));

/** A phone shows three of the columns. */
export function MoneyPlans({ money }: { money: Money }) {
  const { plans, month, currencies } = money;
  const isNow = month === thisMonth();
  const heads = ['Price', 'Accounts', 'New', 'Ended', 'Jobs used', sayMonth(month)];
  const all = currencies.map(({ paid, currency }) => sayMoney(paid, currency)).join(' + ') || '–';
  return (
    <table className="list tight numbers" aria-label="Plans">
      <thead>
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
              detail={plan ? (plan.price ? undefined : 'not sold any more') : 'no price of a plan'}
              price={
                plan?.price ? `${sayMoney(plan.price.unit_amount, plan.price.currency)} a ${plan.price.interval}` : ''
              }
              accounts={plan && isNow ? sayCount(plan.accounts) : ''}
              started={plan ? orDash(plan.started) : ''}
              ended={plan ? orDash(plan.ended) : ''}
              used={plan && isNow && plan.quota > 0 ? `${sayCount(plan.used)} of ${sayCount(plan.quota)}` : ''}
              paid={paidFor(money, code)}
              month={month}
            />
          );
        })}
        <Row
          name="All"
          price=""
          accounts={isNow ? sayCount(sumOf(plans, 'accounts')) : ''}
          started={orDash(sumOf(plans, 'started'))}
          ended={orDash(sumOf(plans, 'ended'))}
          used=""
          paid={all}
          month={month}
        />
      </tbody>
    </table>
  );
}

type RowProps = {
  name: string;
  /** Null for the sum of all. */
  shade?: number;
  detail?: string | undefined;
} & Record<'price' | 'accounts' | 'started' | 'ended' | 'used' | 'paid' | 'month', string>;

function Row({ name, shade, detail, price, accounts, started, ended, used, paid, month }: RowProps) {
  const strong = shade === undefined;
  return (
    <tr>
      <td style={{ flex: '1 0 22%', fontWeight: strong ? 600 : 500 }} className={detail ? 'third' : undefined}>
        {shade !== undefined && <Swatch color="var(--accent)" opacity={shade} mr={8} />}
        <span className={detail ? undefined : 'ink'}>{name}</span>
        {detail && <span className="cell-second">{detail}</span>}
      </td>
      <td className="end wide-only">{price}</td>
      <td className="end" data-head={accounts && 'Accounts'}>
        <span className="ink" style={{ fontWeight: 500 }}>
          {accounts}
        </span>
      </td>
      <td className="end wide-only">{started}</td>
      <td className="end wide-only">{ended}</td>
      <td className="end wide-only">{used}</td>
      <td className="end" data-head={sayMonth(month)}>
        <span className="ink" style={{ fontWeight: 600 }}>
          {paid}
        </span>
      </td>
    </tr>
  );
}
