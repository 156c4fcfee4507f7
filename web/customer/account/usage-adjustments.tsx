import type { QuotaAdjustment } from '../../app/api.ts';
import { adjustmentWords } from '../../ui/job/adjustment-words.ts';
import { Time } from '../../ui/time/time.tsx';

/** What the studio gave back or charged, and why. */
export const UsageAdjustments = ({ adjustments }: { adjustments: QuotaAdjustment[] }) => (
  <table className="list tight">
    <thead>
      <tr>
        <th scope="col">Adjusted by the studio</th>
        <th scope="col">Reason</th>
        <th scope="col" className="end">
          When
        </th>
      </tr>
    </thead>
    <tbody>
      {adjustments.map(({ id, quantity, plan_code: plan, reason, created_at: at }) => (
        <tr key={id}>
          <td className="ink numbers">
            {adjustmentWords(quantity)}
            <span className="cell-second capital">{plan}</span>
          </td>
          <td className="prose">{reason}</td>
          <td className="end">
            <Time at={at} as="day" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
