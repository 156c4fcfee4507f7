import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Status } from '../jobs/job.ts';
import { draftToCheck, NewJob } from '../jobs/new-job.ts';
import { optionalNames } from '../jobs/optional-fields.ts';
import { Closed, NextCursor, Nullable, page } from '../shapes.ts';

const Turnaround = Type.Integer({
  minimum: 1,
  description:
    'Hours from creation to the planned first delivery: business hours, if the catalog has `business_hours`.',
});

/** How an answer is entered, and what the intent check takes for one. */
export const RequirementKind = Type.Enum(['name', 'text', 'choice', 'url', 'date', 'files'], {
  $id: 'RequirementKind',
  type: 'string',
  description:
    '`name`: at most 60 characters. `text`: at most 5,000. `choice`: one of `choices`. `url`: starts with https://. `date`: YYYY-MM-DD. `files`: names of attached files. Whatever its kind, an answer stands in the instructions as `label: answer`.',
});
export type RequirementKind = Static<typeof RequirementKind>;

const OptionRequirement = Closed(
  {
    label: Type.String({ description: 'One of `intake_requirements` of the family.' }),
    kind: RequirementKind,
    choices: Type.Array(Type.String(), { description: 'The answers to choose from; empty for other kinds.' }),
    optional: Type.Boolean({ description: 'Whether a job can be made well without it.' }),
    brand: Nullable(Type.String(), 'The label of a fact of the brand kit that is suggested for it.'),
  },
  { $id: 'OptionRequirement', description: 'A requirement that applies to an option.' },
);

export const ServiceOption = Closed(
  {
    id: Type.String({ description: 'Used as `service_type` in requests.' }),
    name: Type.String({ description: 'The name of the option.' }),
    description: Type.String({ description: 'What the studio makes.' }),
    example_words: Nullable(Type.String(), 'What a customer might write who needs it; null without an example.'),
    turnaround_hours: Turnaround,
    quality_review: Type.Boolean({ description: 'Whether the studio reviews the work before the customer does.' }),
    other_reviewer: Type.Boolean({ description: 'Whether somebody who did not do the work must do that review.' }),
    revision_rounds: Type.Integer({ minimum: 0, description: 'Revision rounds included.' }),
    revision_hours: Nullable(
      Type.Integer({ minimum: 1 }),
      'Hours from requested changes to their planned delivery, counted like `turnaround_hours`; null if rounds have no due date.',
    ),
    auto_approval_hours: Type.Integer({
      minimum: 1,
      description: 'Hours for review before the job is approved automatically.',
    }),
    intake_requirements: Type.Array(OptionRequirement, {
      description: 'The requirements of the family that apply to this option.',
    }),
    picture: Nullable(
      Type.String({ description: 'A path at this origin.' }),
      'A sample of the work, 16 by 10; null without one.',
    ),
  },
  { $id: 'ServiceOption', description: 'One kind of work of a family.' },
);

export const ServiceFamily = Closed(
  {
    id: Type.String({ description: 'Used as `service_family` in requests.' }),
    name: Type.String({ description: 'The name of the family.' }),
    description: Type.String({ description: 'What the family is for.' }),
    intake_requirements: Type.Array(Type.String(), {
      description: 'What to collect before creating a job. Put each into the instructions as `label: answer`.',
    }),
    intake_hints: Type.Array(
      Closed({
        requirement: Type.String({ description: 'One of `intake_requirements`.' }),
        hint: Type.String({ description: 'What to answer.' }),
        example: Type.String({ description: 'An answer as it could be.' }),
        optional: Type.Boolean({ description: 'Whether a job can be made well without it.' }),
      }),
      { description: 'A hint and an example for each intake requirement, in the same order.' },
    ),
    quality_signals: Type.Array(Type.String(), { description: 'What the studio checks the work against.' }),
    service_options: Type.Array(ServiceOption, { description: 'What can be ordered, in the order of the catalog.' }),
  },
  { $id: 'ServiceFamily', description: 'A family of services.' },
);

const Spans = Type.Array(Type.String(), { description: 'Spans of the day.' });
const BusinessHours = Closed(
  {
    time_zone: Type.String({ description: 'An IANA time zone.', examples: ['Europe/Berlin'] }),
    hours: Closed(
      { mon: Spans, tue: Spans, wed: Spans, thu: Spans, fri: Spans, sat: Spans, sun: Spans },
      { description: 'By weekday: spans such as `09:00-12:30`, in order; none on a day off.' },
    ),
    holidays: Type.Array(Type.String(), { description: 'Days off, such as `2026-12-25`.' }),
  },
  { $id: 'BusinessHours', description: 'When the studio works.' },
);

const IndexedFamily = Closed(
  {
    id: ServiceFamily.properties.id,
    name: ServiceFamily.properties.name,
    description: ServiceFamily.properties.description,
    service_options: Type.Array(Closed({ id: ServiceOption.properties.id, name: ServiceOption.properties.name }), {
      description: 'What can be ordered, in the order of the catalog.',
    }),
  },
  { $id: 'IndexedFamily', description: 'A family in short.' },
);

export const Catalog = Closed(
  {
    service_families: Type.Array(ServiceFamily, { description: 'Families in the order of the catalog.' }),
    job_statuses: Type.Array(Status),
    business_hours: Nullable(BusinessHours, 'The hours that count until a delivery; null if all do.'),
    index: Type.Optional(
      Type.Array(IndexedFamily, {
        description: 'Only with `form=index`: the families in short. `service_families` is empty then.',
      }),
    ),
    retired_families: Type.Optional(
      Type.Array(ServiceFamily, {
        description:
          'Only with `retired=include`, or for a `service_family` that is retired: options that can no longer be ordered, with their families. They name earlier orders.',
      }),
    ),
  },
  { $id: 'Catalog', description: 'What can be ordered.' },
);

export const IntentCheck = Closed(
  {
    ready: Type.Boolean({ description: 'True when only optional requirements are missing, or none.' }),
    missing_intake_requirements: Type.Array(Type.String(), {
      description: 'Requirements of the option that the draft does not answer, including optional ones.',
    }),
    quality_signals: Type.Array(Type.String(), { description: 'What the studio will check the work against.' }),
  },
  { $id: 'IntentCheck', description: 'What a draft still lacks.' },
);

export const AccessKind = Type.Enum(['human', 'agent', 'both'], {
  $id: 'AccessKind',
  type: 'string',
  description: '`human` serves sessions, `agent` serves API keys, `both` serves both.',
});
export type AccessKind = Static<typeof AccessKind>;

/** Always named `plan_code`, except `by_entitlement.key` in usage and in data of the payment provider. */
export const PlanCode = Type.String({ description: 'The code of the plan in `plans.yaml`.', examples: ['agent'] });

export const Plan = Closed(
  {
    plan_code: PlanCode,
    name: Type.String({ description: 'The name of the plan.' }),
    access_kind: AccessKind,
    unit: Type.String({ description: 'What the quota counts.' }),
    quota: Type.Integer({ minimum: 1, description: 'Jobs per period.' }),
    concurrency_limit: Type.Integer({ minimum: 1, description: 'Active jobs at once.' }),
    price: Closed(
      {
        id: Type.String({ description: 'The id of the price at the payment provider.' }),
        product: Type.String({ description: 'The id of the product at the payment provider.' }),
        unit_amount: Type.Integer({ minimum: 0, description: 'In the smallest unit of the currency.' }),
        currency: Type.String({ description: 'ISO 4217, lower case.' }),
        interval: Type.Enum(['month', 'year'], { type: 'string', description: 'How often it is paid.' }),
      },
      { description: 'What a period costs.' },
    ),
    checkout_available: Type.Boolean({
      description: 'False while the prices are not verified: the table is informational.',
    }),
  },
  { $id: 'Plan', description: 'A plan that an account can buy.' },
);
export type PlanView = Static<typeof Plan>;

export const readCatalog = endpoint({
  operationId: 'readCatalog',
  method: 'GET',
  path: '/api/v1/catalog',
  tag: 'Catalog',
  summary: 'Read the catalog',
  tool: {
    name: 'get_catalog',
    hint: 'read',
    description:
      'Read the catalog: without arguments its `index`, with `service_family` one family with its options. A draft answers each of its `intake_requirements` that is not optional.',
    fields: { service_family: 'An id of the index.' },
    hides: ['form', 'retired'],
    defaults: { form: 'index' },
    omits: ['picture', 'brand', 'example_words', 'job_statuses'],
  },
  description:
    'Families with their service options, and what each asks for. A draft answers each of the `intake_requirements` that is not optional. Send the `ETag` back as `If-None-Match` to get 304 for an unchanged catalog.',
  auth: 'public',
  rate: 'read_public',
  headers: { 'If-None-Match': { description: 'The `ETag` of the catalog that you have.' } },
  query: Closed({
    service_family: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only this family, as a whole.' }),
    ),
    form: Type.Optional(
      Type.Enum(['whole', 'index'], {
        type: 'string',
        default: 'whole',
        description: '`index`: only ids and names, in `index`. A `service_family` is always whole.',
      }),
    ),
    retired: Type.Optional(
      Type.Enum(['omit', 'include'], {
        type: 'string',
        default: 'omit',
        description: '`include`: also what can no longer be ordered, in `retired_families`.',
      }),
    ),
  }),
  answers: {
    200: { description: 'The catalog.', schema: Catalog, headers: { ETag: 'Changes when the catalog does.' } },
    304: { description: 'Not changed since the given `If-None-Match`.' },
  },
  errors: { 400: ['invalid_request'] },
});

export const checkIntent = endpoint({
  operationId: 'checkIntent',
  method: 'POST',
  path: '/api/v1/catalog/intent-check',
  tag: 'Catalog',
  summary: 'Check what a draft still lacks',
  tool: {
    name: 'check_intent',
    hint: 'read',
    title: 'Check a draft',
    description:
      'Check what a draft still lacks, with the fields of create_job. Creates no job, consumes no quota, reads no file and grants no access.',
    fields: draftToCheck,
    hides: [...optionalNames, 'file_ids'],
  },
  description: 'Creates no job, consumes no quota, reads no file and grants no access.',
  auth: 'public',
  idempotent: 'by_nature',
  body: NewJob,
  rate: 'check_intent',
  answers: { 200: { description: 'The check.', schema: Closed({ intent_check: IntentCheck }) } },
  errors: { 422: ['invalid_request', 'unsupported_service', 'unsafe_request'] },
});

export const listPlans = endpoint({
  operationId: 'listPlans',
  method: 'GET',
  path: '/api/v1/plans',
  tag: 'Plans',
  summary: 'List the plans',
  tool: {
    name: 'list_plans',
    hint: 'read',
    description:
      'List the plans: what each grants, to whom, and its price. Only a person can start one, not a key. get_account lists the plans of the account.',
    fields: { cursor: 'Of the last page.' },
  },
  description:
    'What each grants, to whom, and its price. Only a person can start one, not a key. `GET /api/v1/me` lists the plans of the account, including paused and overdue ones.',
  auth: 'public',
  rate: 'list_plans',
  query: Closed(page),
  answers: {
    200: {
      description: 'In the order of the price list.',
      schema: Closed({ plans: Type.Array(Plan), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});
