import Type from 'typebox';
import { Closed, Creator, Id, Timestamp } from '../shapes.ts';

const adjustment = {
  id: Id('adj'),
  plan_code: Type.String({ description: 'The plan when it was adjusted.' }),
  period: Closed(
    { start: Timestamp('Start, inclusive.'), end: Timestamp('End, exclusive, as it was then.') },
    { description: 'The adjusted period.' },
  ),
  quantity: Type.Integer({ description: 'Jobs that were charged; below zero, jobs that were given back.' }),
  unit: Type.String({ description: 'What is counted, such as `job`.' }),
  reason: Type.String({ description: 'Why, in the words of the studio; `Deleted` once the account is closed.' }),
  created_at: Timestamp('When it was written.'),
};

export const QuotaAdjustment = Closed(adjustment, {
  $id: 'QuotaAdjustment',
  description: 'A row of the ledger by which the studio gave quota back, or charged it.',
});

export const DeskQuotaAdjustment = Closed(
  { ...adjustment, entitlement_id: Id('ent'), created_by: Creator },
  { $id: 'DeskQuotaAdjustment', description: 'A quota adjustment as the studio sees it.' },
);
