import { NumberInput, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { adjustmentBounds } from '../../../contract/desk/adjustment-bounds.ts';
import { isRunning, planLabel, renews } from '../../../contract/plans/plan-words.ts';
import { type DeskAccount, type DeskEntitlement, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { adjustmentWords, jobCount } from '../../ui/job/adjustment-words.ts';
import { accessWords } from '../../ui/job/words.ts';
import { notify, Panel } from '../../ui/page/page.tsx';
import { sayDay, Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';

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
            {adjustments.map(({ id, quantity, plan_code: code, reason, created_by: by, created_at: at }) => (
              <li key={id} className="stack-small">
                <div className="row between">
                  <strong className="numbers">{adjustmentWords(quantity)}</strong>
                  <span className="second small capital">{code}</span>
                </div>
                <p className="prose">{reason}</p>
                <span className="second small">
                  {by.name}, <Time at={at} as="day" />
                </span>
              </li>
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
        {plan.paid_until && ', paid until '}
        {plan.paid_until && <Time at={plan.paid_until} as="day" />}
      </span>
      {may('manage_accounts') && isAdjustable(plan) && <AdjustQuota accountId={accountId} plan={plan} />}
    </li>
  );
}

type Adjustable = DeskEntitlement & { adjustable: NonNullable<DeskEntitlement['adjustable']> };
const isAdjustable = (plan: DeskEntitlement): plan is Adjustable => plan.adjustable !== null;

function AdjustQuota({ accountId, plan }: { accountId: string; plan: Adjustable }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-label={`Adjust quota of ${plan.name}`}
        onClick={() => setAsking(true)}
      >
        Adjust quota
      </ActionButton>
      {asking && <AdjustDialog accountId={accountId} plan={plan} onClose={() => setAsking(false)} />}
    </>
  );
}

type DialogProps = { accountId: string; plan: Adjustable; onClose: () => void };

function AdjustDialog({ accountId, plan, onClose }: DialogProps) {
  const adjust = useOperation('createQuotaAdjustment');
  const [way, setWay] = useState<'give_back' | 'charge'>(plan.adjustable.give_back > 0 ? 'give_back' : 'charge');
  const [jobs, setJobs] = useState<number | string>(1);
  const [reason, setReason, forget] = useDraft(`adjust-${plan.id}`, '');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const most = plan.adjustable[way];
  const done = () => {
    forget();
    onClose();
    notify(`${way === 'give_back' ? 'Gave back' : 'Charged'} ${jobCount(Number(jobs))}.`);
  };
  const run = () => {
    const quantity = way === 'give_back' ? -Number(jobs) : Number(jobs);
    const body = { entitlement_id: plan.id, period_start: plan.period.start, quantity, reason: reason.trim() };
    adjust.mutate({ path: { id: accountId }, body, idempotencyKey }, { onSuccess: done });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={`Adjust the quota of ${plan.name}`}
      size={560}
      submit={way === 'give_back' ? 'Give back' : 'Charge'}
      onSubmit={run}
      action={adjust}
      fields={['reason']}
      disabled={reason.trim() === '' || Number(jobs) < 1 || Number(jobs) > most}
    >
      <SegmentedControl
        aria-label="What to do"
        data={[
          { value: 'give_back', label: 'Give back' },
          { value: 'charge', label: 'Charge' },
        ]}
        value={way}
        onChange={setWay}
      />
      <NumberInput
        label="Jobs"
        description={
          way === 'give_back'
            ? `At most ${most}: what ended jobs of this period used. Jobs in progress cannot be given back yet.`
            : `At most ${most}: what remains of this period.`
        }
        min={1}
        allowDecimal={false}
        value={jobs}
        onChange={setJobs}
        error={Number(jobs) > most && `At most ${most} now.`}
        data-autofocus
      />
      <Textarea
        label="Reason"
        description="The customer reads this on the usage page."
        required
        maxLength={adjustmentBounds.reason}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
        error={fieldError(adjust.error, 'reason')}
      />
    </FormDialog>
  );
}
