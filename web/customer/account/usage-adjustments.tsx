import type { QuotaAdjustment } from '../../app/api.ts';
import { adjustmentWords } from '../../ui/job/adjustment-words.ts';
import { type Column, List } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';

const columns: Column<QuotaAdjustment>[] = [
  {
    head: 'Adjusted by the studio',
    className: 'ink numbers',
    cell: ({ quantity, plan_code: plan }) => (
      <>
        {adjustmentWords(quantity)}
        <span className="cell-second capital">{plan}</span>
      </>
    ),
  },
  { head: 'Reason', className: 'prose', cell: ({ reason }) => reason },
  { head: 'When', end: true, cell: ({ created_at: at }) => <Time at={at} as="day" /> },
];

/** What the studio gave back or charged, and why. */
export const UsageAdjustments = ({ adjustments }: { adjustments: QuotaAdjustment[] }) => (
  <List label="Adjusted by the studio" tight rows={adjustments} columns={columns} rowKey={({ id }) => id} />
);
