import { NumberInput, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { adjustmentBounds } from '../../../contract/desk/adjustment-bounds.ts';
import { type DeskEntitlement, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { notify } from '../../ui/page/notify.ts';
import { jobCount } from '../../ui/job/adjustment-words.ts';

type Adjustable = DeskEntitlement & { adjustable: NonNullable<DeskEntitlement['adjustable']> };
export const isAdjustable = (plan: DeskEntitlement): plan is Adjustable => plan.adjustable !== null;

export function AdjustQuota({ accountId, plan }: { accountId: string; plan: Adjustable }) {
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

type Props = { accountId: string; plan: Adjustable; onClose: () => void };

function AdjustDialog({ accountId, plan, onClose }: Props) {
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
        data={ways}
        value={way}
        onChange={(value) => setWay(value === 'charge' ? 'charge' : 'give_back')}
      />
      <NumberInput
        label="Jobs"
        description={mostWords(way, most)}
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

const ways = [
  { value: 'give_back', label: 'Give back' },
  { value: 'charge', label: 'Charge' },
];

const mostWords = (way: 'give_back' | 'charge', most: number) =>
  way === 'give_back'
    ? `At most ${most}: what ended jobs of this period used. Jobs in progress cannot be given back yet.`
    : `At most ${most}: what remains of this period.`;
