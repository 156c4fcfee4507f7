import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { mostWordsOfDecline } from './order-bounds.ts';
import { File } from '../files/file.ts';
import { DraftAnswer } from '../jobs/brief.ts';
import { JobSummary } from '../jobs/job.ts';
import { answeredFields } from '../jobs/new-job.ts';
import { studioNames } from '../jobs/optional-fields.ts';
import { Closed, Creator, Id, IdParams, NextAction, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

const Status = Type.Enum(['waiting', 'confirmed', 'declined', 'lapsed', 'ended'], {
  $id: 'OrderStatus',
  type: 'string',
  description:
    '`lapsed`: nobody decided within seven days. `ended`: its maker left, became a reviewer or lost their rights, or the draft was closed or ordered otherwise.',
});
export type OrderStatus = Static<typeof Status>;

const listed = {
  id: Id('ord'),
  status: Status,
  service_family: Type.String({ description: 'The family id.' }),
  service_type: Nullable(Type.String(), 'The option id; null while its maker has not chosen another one.'),
  customer_title: Type.String({ description: 'The title.' }),
  ...answeredFields(studioNames),
  version: Type.Integer({
    minimum: 0,
    description: 'Of the draft. It grows with each change of its maker, and confirming names it.',
  }),
  ready: Type.Boolean({ description: 'Whether the draft is complete, so that it can be confirmed.' }),
  intake_session_id: Id('ise', 'The draft, which its maker can change while the order waits.'),
  job_id: Nullable(Id('job'), 'The job that it became.'),
  created_by: Creator,
  created_at: Timestamp('When it was ordered.'),
  lapses_at: Timestamp('Until when it can be confirmed.'),
  decided_by: Nullable(Creator, 'Who confirmed or declined it.'),
  decided_at: Nullable(Timestamp('When they did.')),
  words: Nullable(Type.String(), 'What the person who declined it wrote to its maker.'),
};
export const OrderListItem = Closed(listed, {
  $id: 'OrderListItem',
  description: 'An order that waits for an owner or admin, or did.',
});
export const Order = Closed(
  {
    ...listed,
    customer_instructions: Type.String({ description: 'What the studio would be told.' }),
    answers: Type.Array(DraftAnswer, { description: 'What its maker answered to the questions of the service.' }),
    files: Type.Array(File, { description: 'Files that go along.' }),
    brand_kit: Type.Boolean({ description: 'Whether its job gets a copy of the brand kit.' }),
  },
  { $id: 'Order', description: 'An order with all that its maker wrote. Read it before you decide.' },
);

const path = '/api/v1/orders';
const orderErrors = { 404: ['order_not_found'] } as const;

export const listOrders = endpoint({
  operationId: 'listOrders',
  method: 'GET',
  path,
  tag: 'Orders',
  summary: 'List the orders that wait for a person, or did',
  auth: 'caller',
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    ...page,
  }),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ orders: Type.Array(OrderListItem), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readOrder = endpoint({
  operationId: 'readOrder',
  method: 'GET',
  path: `${path}/{id}`,
  tag: 'Orders',
  summary: 'Read an order that waits for a person, or did',
  auth: 'caller',
  params: IdParams('ord'),
  answers: { 200: { description: 'The order.', schema: Closed({ order: Order }) } },
  errors: orderErrors,
});

export const confirmOrder = endpoint({
  operationId: 'confirmOrder',
  method: 'POST',
  path: `${path}/{id}/confirm`,
  tag: 'Orders',
  summary: 'Confirm the order of somebody else: create its job',
  description:
    'Everything that creating a job checks is checked again. The plan for callers of the maker’s kind pays, and the job is created by its maker; its event `order.confirmed` is yours. The maker of an order can never confirm it.',
  auth: 'manager',
  idempotent: 422,
  params: IdParams('ord'),
  body: Closed(
    {
      version: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The version that you have looked at; another one is a 409.',
      }),
    },
    { examples: [{ version: 1 }] },
  ),
  location: '/api/v1/jobs/{job.id}',
  answers: {
    201: {
      description: 'Confirmed: the job is created and queued.',
      schema: Closed({ order: Order, job: JobSummary, next_action: NextAction }),
    },
  },
  errors: {
    403: ['role_required', 'entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded'],
    404: ['order_not_found'],
    409: ['order_changed'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});

export const declineOrder = endpoint({
  operationId: 'declineOrder',
  method: 'POST',
  path: `${path}/{id}/decline`,
  tag: 'Orders',
  summary: 'Decline the order of somebody else, and say why',
  description: 'Nothing is ordered. The maker reads the words, and can change the draft and order again.',
  auth: 'manager',
  idempotent: 422,
  params: IdParams('ord'),
  body: Closed(
    {
      words: Type.String({
        minLength: 1,
        maxLength: mostWordsOfDecline,
        pattern: '\\S',
        description: 'Why, for the maker: 1 to 2,000 code points.',
      }),
    },
    { examples: [{ words: 'The stollen can wait until the new logo is there.' }] },
  ),
  answers: { 200: { description: 'Declined.', schema: Closed({ order: Order }) } },
  errors: {
    403: ['role_required'],
    404: ['order_not_found'],
    409: ['order_changed'],
    422: ['invalid_request', 'unsafe_request'],
  },
});
