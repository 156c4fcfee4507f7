import { isRunning, planLabel, renews } from '../../../contract/plans/plan-words.ts';
import type { DeskAccount, DeskEntitlement, DeskQuotaAdjustment } from '../../app/api.ts';
import { adjustmentWords } from '../../ui/job/adjustment-words.ts';
import { accessWords } from '../../ui/job/words.ts';
import { Panel } from '../../ui/page/page.tsx';
import { sayDay, Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { AdjustQuota, isAdjustable } from './adjust-quota.tsx';

/** What the account was granted, what it used, and what the studio adjusted. */
export function AccountPlans({ account }: { account: DeskAccount }) {
  const { entitlements, quota_adjustments: adjustments } = account;
  return (
    <>
      <Panel title="Plans and usage">
        {entitlements.length === 0 ? (
          <p className="second">No plan was ever granted.</p>
        ) : (
          <ul className="stack">
            {entitlements.map((plan) => (
              <Plan key={plan.id} accountId={account.id} plan={plan} />
            ))}
          </ul>
        )}
      </Panel>
      {adjustments.length > 0 && (
        <Panel title="Quota adjustments">
          <ul className="stack">
            {adjustments.map((adjustment) => (
              <Adjustment key={adjustment.id} adjustment={adjustment} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function Plan({ accountId, plan }: { accountId: string; plan: DeskEntitlement }) {
  const may = useMay();
  return (
    <li className="stack-small">
      <div className="row between">
        <strong>{plan.name}</strong>
        <span className={renews(plan) ? 'good' : isRunning(plan) ? 'turn' : 'third'}>{planLabel(plan, sayDay)}</span>
      </div>
      <div className="bar" role="img" aria-label={`${plan.used} of ${plan.quota} jobs used`}>
        <span style={{ width: `${plan.quota === 0 ? 0 : Math.min(100, (plan.used / plan.quota) * 100)}%` }} />
      </div>
      <span className="second small numbers">
        {plan.used} of {plan.quota} jobs · {plan.concurrency_limit} at once ·{' '}
        {accessWords[plan.access_kind].toLowerCase()}
      </span>
      <span className="second small">
        <Time at={plan.period.start} as="day" /> to <Time at={plan.period.end} as="day" />
        {plan.paid_until && (
          <>
            , paid until <Time at={plan.paid_until} as="day" />
          </>
        )}
      </span>
      {may('manage_accounts') && isAdjustable(plan) && <AdjustQuota accountId={accountId} plan={plan} />}
    </li>
  );
}

const Adjustment = ({ adjustment }: { adjustment: DeskQuotaAdjustment }) => (
  <li className="stack-small">
    <div className="row between">
      <strong className="numbers">{adjustmentWords(adjustment.quantity)}</strong>
      <span className="second small capital">{adjustment.plan_code}</span>
    </div>
    <p className="prose">{adjustment.reason}</p>
    <span className="second small">
      {adjustment.created_by.name}, <Time at={adjustment.created_at} as="day" />
    </span>
  </li>
);
