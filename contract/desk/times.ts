import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, IdParams } from '../shapes.ts';
import { Text } from './job.ts';
import { NotedTime, timeEntry } from './noted-time.ts';
import { timeBounds } from './time-bounds.ts';

const NewTime = Closed(
  { ...timeEntry, words: Type.Optional(Text(timeBounds.words, 'What was done.', 'Second sketch')) },
  { $id: 'NewTime', description: `At most ${timeBounds.daysBack} days ago, and not later than today.` },
);

const ofJob = { tag: 'Desk', auth: 'operator', right: 'work', csrf: true, body: NewTime } as const;
const answer = Closed({ noted_time: NotedTime });
const OwnTime = Closed({ ...IdParams('job').properties, time_id: Id('time') });

export const noteTime = endpoint({
  ...ofJob,
  operationId: 'noteTime',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/times',
  summary: 'Note time on a job',
  description: 'In any status. Reports sum it up. The customer never sees it.',
  idempotent: 422,
  params: IdParams('job'),
  location: '/api/operator/v1/jobs/{id}',
  answers: { 201: { description: 'The entry.', schema: answer } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const replaceTime = endpoint({
  ...ofJob,
  operationId: 'replaceTime',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/times/{time_id}',
  summary: 'Correct time that you noted',
  params: OwnTime,
  answers: { 200: { description: 'The entry.', schema: answer } },
  errors: { 404: ['job_not_found', 'time_not_found'], 422: ['invalid_request'] },
});

const { body: _, ...withoutBody } = ofJob;
export const withdrawTime = endpoint({
  ...withoutBody,
  operationId: 'withdrawTime',
  method: 'DELETE',
  path: '/api/operator/v1/jobs/{id}/times/{time_id}',
  summary: 'Withdraw time that you noted',
  params: OwnTime,
  answers: { 200: { description: 'The entry that is gone.', schema: answer } },
  errors: { 404: ['job_not_found', 'time_not_found'] },
});
