import { expect, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';
import { breakingChanges } from '../scripts/breaking-changes.ts';

// A test changes any part of the document.
// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

const made = (): Document => JSON.parse(JSON.stringify(openapi('http://localhost:3000')));
const released = made();

function after(change: (document: Document) => void): string[] {
  const document = made();
  change(document);
  return breakingChanges(released, document);
}

type Change = [what: string, change: (document: Document) => unknown, found: string];

test.each<Change>([
  ['a path that is gone', (d) => delete d.paths['/api/v1/me'], 'GET /api/v1/me is gone'],
  ['a method that is gone', (d) => delete d.paths['/api/v1/jobs'].post, 'POST /api/v1/jobs is gone'],
  [
    'another operation id',
    (d) => (d.paths['/api/v1/me'].get.operationId = 'me'),
    'GET /api/v1/me has another operationId: me',
  ],
  [
    'a status that is gone',
    (d) => delete d.paths['/api/v1/jobs'].post.responses['403'],
    'POST /api/v1/jobs no longer answers 403',
  ],
  [
    'a field of an answer that is gone',
    (d) => delete d.components.schemas.File.properties.file_name,
    'GET /api/v1/files/{id} 200.file.file_name is gone',
  ],
  [
    'a field of an answer that may be missing',
    (d) => d.components.schemas.File.required.splice(0, 1),
    'GET /api/v1/files/{id} 200.file.id may be missing now',
  ],
  [
    'another type in an answer',
    (d) => (d.components.schemas.File.properties.size_bytes.type = 'string'),
    'GET /api/v1/files/{id} 200.file.size_bytes has another type: string',
  ],
  [
    'an answer that may be null',
    (d) => (d.components.schemas.File.properties.size_bytes.type = ['integer', 'null']),
    'GET /api/v1/files/{id} 200.file.size_bytes has another type: null',
  ],
  [
    'a new status of a job',
    (d) => d.components.schemas.JobStatus.enum.push('paused'),
    'GET /api/v1/jobs/{id} 200.job.status has the new value paused',
  ],
  [
    'a required field of a request',
    (d) => d.components.schemas.NewJob.required.push('file_ids'),
    'POST /api/v1/jobs body.file_ids is required now',
  ],
  [
    'a field of a request that is gone',
    (d) => delete d.components.schemas.NewJob.properties.file_ids,
    'POST /api/v1/jobs body.file_ids is gone',
  ],
  [
    'a value of a request that is gone',
    (d) => d.components.schemas.JobStatus.enum.splice(0, 1),
    'GET /api/v1/jobs query status[] no longer takes queued',
  ],
  [
    'a narrower bound of a request',
    (d) => (d.components.schemas.CustomerInstructions.maxLength = 100),
    'POST /api/v1/jobs body.customer_instructions has a narrower maxLength',
  ],
  [
    'a parameter that is gone',
    (d) => d.paths['/api/v1/jobs'].get.parameters.splice(0, 1),
    'GET /api/v1/jobs no longer takes query status',
  ],
  [
    'a parameter that is required',
    (d) => (d.components.parameters['Idempotency-Key'].required = true),
    'POST /api/v1/jobs requires header Idempotency-Key now',
  ],
  [
    'a credential that no longer suffices',
    (d) => (d.paths['/api/v1/me'].get.security = [{ session: [] }, { cookie: [] }]),
    'GET /api/v1/me no longer takes apiKey',
  ],
  [
    'another scope',
    (d) => (d.paths['/api/v1/me'].get.security[0].apiKey = ['api:write']),
    'GET /api/v1/me no longer takes apiKey',
  ],
  [
    'a field of a webhook that is gone',
    (d) => delete d.components.schemas.WebhookBody.properties.timestamp,
    'POST event body.timestamp is gone',
  ],
])('breaks callers: %s', (_, change, found) => {
  expect(after(change)).toContain(found);
});

test.each<[string, (document: Document) => unknown]>([
  ['nothing', () => {}],
  ['a new operation', (d) => (d.paths['/api/v1/new'] = { get: d.paths['/api/v1/me'].get })],
  ['a new field of an answer', (d) => (d.components.schemas.File.properties.colour = { type: 'string' })],
  ['a new optional field of a request', (d) => (d.components.schemas.NewJob.properties.colour = { type: 'string' })],
  [
    'a new optional parameter',
    (d) => d.paths['/api/v1/me'].get.parameters.push({ name: 'x', in: 'query', schema: {} }),
  ],
  ['a new error code', (d) => d.components.schemas.ErrorCode.enum.push('brand_new')],
  ['a new type of event', (d) => d.components.schemas.EventType.enum.push('job.brand_new')],
  ['a higher limit', (d) => (d.components.schemas.CustomerInstructions.maxLength = 50_000)],
  ['another description', (d) => (d.components.schemas.File.description = 'Other words.')],
  ['a new status', (d) => (d.paths['/api/v1/me'].get.responses['404'] = { description: 'New.' })],
  ['another way to sign in', (d) => d.paths['/api/v1/me'].get.security.push({ workerKey: [] })],
])('breaks nobody: %s', (_, change) => {
  expect(after(change)).toEqual([]);
});

test('breaks nobody: a pattern in the form that all languages read, and a bound that a pattern had', () => {
  const before: Document = JSON.parse(JSON.stringify(released).replaceAll(String.raw`\\x00`, String.raw`\\0`));
  expect(JSON.stringify(before)).toContain(String.raw`"^[^\\0]*$"`);
  before.components.schemas.NewMacro.properties.name = { type: 'string', pattern: String.raw`^\S{1,60}$` };
  expect(breakingChanges(before, released)).toEqual([]);
  const narrower = (document: Document) => (document.components.schemas.NewMacro.properties.name.pattern = '^[a-b]+$');
  expect(after(narrower)).toContain('POST /api/operator/v1/macros body.name has a narrower pattern');
});
