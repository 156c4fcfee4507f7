import Type from 'typebox';
import { adjustmentBounds } from './adjustment-bounds.ts';
import { Text } from './job.ts';
import { endpoint } from '../endpoint.ts';
import { DeskQuotaAdjustment } from '../plans/quota-adjustment.ts';
import { Closed, Id, IdParams, RequestTime } from '../shapes.ts';

export const createQuotaAdjustment = endpoint({
  operationId: 'createQuotaAdjustment',
  method: 'POST',
  path: '/api/operator/v1/accounts/{id}/quota-adjustments',
  tag: 'Desk',
  summary: 'Give quota back, or charge it',
  description:
    'A row of the ledger for the current period of one entitlement. Charges of jobs that have not ended cannot be given back: the jobs may still return them. The customer reads the reason.',
  auth: 'operator',
  right: 'manage_accounts',
  csrf: true,
  idempotent: 422,
  params: IdParams('acct'),
  body: Closed(
    {
      entitlement_id: Id('ent'),
      period_start: RequestTime(
        'The start of the current period of the entitlement, so that no adjustment slips into the next one.',
      ),
      quantity: Type.Integer({
        minimum: -adjustmentBounds.quantity,
        maximum: adjustmentBounds.quantity,
        description: 'Jobs to charge; below zero, jobs to give back. Not 0.',
        examples: [-1],
      }),
      reason: Text(
        adjustmentBounds.reason,
        'At most 500 code points. The customer reads it.',
        'The second logo was late, so it does not count.',
      ),
    },
    { $id: 'NewQuotaAdjustment', description: 'How much, in which period, and why.' },
  ),
  location: '/api/operator/v1/accounts/{id}',
  answers: {
    201: { description: 'The row of the ledger.', schema: Closed({ quota_adjustment: DeskQuotaAdjustment }) },
  },
  errors: {
    404: ['account_not_found', 'entitlement_not_found'],
    409: ['entitlement_inactive', 'period_ended', 'adjustment_too_large'],
    422: ['invalid_request'],
  },
});
