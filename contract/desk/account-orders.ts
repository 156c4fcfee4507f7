import { endpoint } from '../endpoint.ts';
import { draftFields, sentFields } from '../jobs/new-job.ts';
import { studioNames } from '../jobs/optional-fields.ts';
import { Closed, IdParams } from '../shapes.ts';
import { DeskJob } from './job.ts';

export const orderForAccount = endpoint({
  operationId: 'orderForAccount',
  method: 'POST',
  path: '/api/operator/v1/accounts/{id}/jobs',
  tag: 'Desk',
  summary: 'Order a job for an account',
  description:
    'Only if an owner of the account allows it. The job uses the quota of its plan for people, and is an order like any other: the same checks, events and moves of the customer. Owners and admins of the account are told. Without files: send them in the thread of the job.',
  auth: 'operator',
  right: 'order_for_accounts',
  csrf: true,
  idempotent: 422,
  params: IdParams('acct'),
  body: Closed(
    { ...draftFields, ...sentFields(studioNames) },
    { $id: 'NewJobForAccount', description: 'What the customer would send, without files and metadata.' },
  ),
  location: '/api/operator/v1/jobs/{job.id}',
  answers: { 201: { description: 'Created and queued.', schema: Closed({ job: DeskJob }) } },
  errors: {
    403: [
      'studio_orders_off',
      'account_suspended',
      'entitlement_required',
      'quota_exceeded',
      'concurrency_limit_exceeded',
    ],
    404: ['account_not_found'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});
