import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { DeliveryFileIds } from '../files/file.ts';
import { Closed, Creator, Id, IdParams, Nullable, Timestamp } from '../shapes.ts';

const message = Type.String({
  maxLength: 10_000,
  description: 'The message to the customer; may be empty.',
  examples: ['Two versions.'],
});

export const DeliveryDraft = Closed(
  {
    message: Type.String({ description: 'The message to the customer; empty without one.' }),
    file_ids: Type.Array(Id('file'), { description: 'The files in their order.' }),
    created_by: Nullable(Creator, 'The operator who saved it last; null while there is no draft.'),
    saved_at: Nullable(Timestamp('When it was saved.'), 'Null while there is no draft.'),
  },
  { $id: 'DeliveryDraft', description: 'What is prepared for the next submission of a job.' },
);
export type DeliveryDraft = Static<typeof DeliveryDraft>;

const OneDraft = Closed({ draft: DeliveryDraft });

export const readDeliveryDraft = endpoint({
  operationId: 'readDeliveryDraft',
  method: 'GET',
  path: '/api/operator/v1/jobs/{id}/draft',
  tag: 'Desk',
  summary: 'Read the draft of the next delivery',
  description: 'A job has one draft, whoever holds it. It is deleted when the job is submitted or ends.',
  auth: 'operator',
  right: 'work',
  params: IdParams('job'),
  answers: { 200: { description: 'The draft; empty if there is none.', schema: OneDraft } },
  errors: { 404: ['job_not_found'] },
});

export const saveDeliveryDraft = endpoint({
  operationId: 'saveDeliveryDraft',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/draft',
  tag: 'Desk',
  summary: 'Save the draft of the next delivery',
  description: 'Only the operator who holds the job saves it. It replaces the draft of the job.',
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: IdParams('job'),
  body: Closed({
    message,
    file_ids: {
      ...DeliveryFileIds,
      description:
        'At most 500 completed uploads of the studio for this job that are not delivered yet, in their order.',
    },
  }),
  answers: { 200: { description: 'The saved draft.', schema: OneDraft } },
  errors: { 404: ['job_not_found'], 409: ['invalid_transition'], 422: ['invalid_request'] },
});
