import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import type { OperatorRight } from '../desk/operator-roles.ts';
import { person } from './sessions.ts';
import { Closed, Count, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** How a person is told: by mail at once, by one mail a day, or only in the app. */
export const mailChoices = ['now', 'daily', 'never'] as const;

/** `right`: only operators who have it are told. */
type Kind = {
  side: 'customer' | 'studio';
  /** From the account itself. Stored apart, because 0.2.0 does not know it. */
  team?: true;
  /** About work at the desk. Stored apart for the same reason. */
  desk?: true;
  right?: OperatorRight;
  usually: (typeof mailChoices)[number];
  says: string;
};

/** What a person can be told. Plain data: the settings page and the service read it. */
export const notificationKinds = {
  message: {
    side: 'customer',
    usually: 'now',
    says: 'The studio wrote about a job that you follow, or its question is still open',
  },
  colleague: {
    side: 'customer',
    team: true,
    usually: 'never',
    says: 'A colleague or a guest wrote or commented on a job that you follow',
  },
  delivered: { side: 'customer', usually: 'now', says: 'A delivery is ready for your review' },
  asked_to_look: { side: 'customer', team: true, usually: 'now', says: 'A colleague asks you to look at a delivery' },
  approval_due: { side: 'customer', usually: 'now', says: 'A delivery is approved automatically within a day' },
  rejected: { side: 'customer', usually: 'now', says: 'The studio rejected a job' },
  order_waiting: {
    side: 'customer',
    team: true,
    usually: 'now',
    says: 'An order of a colleague waits for you to confirm it',
  },
  order_decided: {
    side: 'customer',
    team: true,
    usually: 'now',
    says: 'An order of yours was confirmed or declined',
  },
  ordered_for_you: {
    side: 'customer',
    team: true,
    usually: 'now',
    says: 'The studio ordered a job for an account of yours',
  },
  plan: { side: 'customer', usually: 'now', says: 'A plan began, stopped, goes on or ends, or its payment is overdue' },
  webhook: { side: 'customer', usually: 'now', says: 'A webhook endpoint is failing or was disabled' },
  key_expiring: { side: 'customer', usually: 'now', says: 'An API key that you created ends within a week' },
  sign_in: { side: 'customer', usually: 'now', says: 'Somebody signed in as you from a new place' },
  customer_message: { side: 'studio', usually: 'now', says: 'A customer wrote about a job that you follow' },
  handed_over: { side: 'studio', usually: 'now', says: 'Somebody handed you a job' },
  revision_requested: { side: 'studio', usually: 'now', says: 'A customer requested changes' },
  question_answered: { side: 'studio', usually: 'now', says: 'A customer answered a question' },
  returned: { side: 'studio', desk: true, usually: 'now', says: 'Work of yours was returned' },
  taken_over: {
    side: 'studio',
    desk: true,
    usually: 'now',
    says: 'A colleague took over, handed on or released a job that you held',
  },
  canceled: { side: 'studio', desk: true, usually: 'now', says: 'A customer canceled a job that you worked on' },
  rejected_by_colleague: {
    side: 'studio',
    desk: true,
    usually: 'now',
    says: 'A colleague rejected a job that you worked on',
  },
  in_review: { side: 'studio', desk: true, right: 'review', usually: 'never', says: 'Work waits for review' },
  due_soon: { side: 'studio', usually: 'never', says: 'A job that you hold is due within two hours' },
  overdue: { side: 'studio', usually: 'daily', says: 'A job that you hold is overdue' },
  unheld_due: {
    side: 'studio',
    desk: true,
    right: 'direct',
    usually: 'daily',
    says: 'Jobs that nobody holds are overdue, or due within two hours',
  },
  parked: {
    side: 'studio',
    usually: 'daily',
    says: 'A job is parked: workers took it five times and did not finish it',
  },
  lease_lost: { side: 'studio', usually: 'never', says: 'A worker stopped answering, and its job is free again' },
  payment_needs_look: {
    side: 'studio',
    right: 'manage_records',
    usually: 'now',
    says: 'An event of the payment provider needs a look, or a payment was refunded or disputed',
  },
  customer_plan: {
    side: 'studio',
    right: 'manage_records',
    usually: 'daily',
    says: 'The plan of a customer with open jobs is overdue, was stopped or has ended',
  },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof notificationKinds;
/** What each kind needs and says, by its name. */
export const kindOf = (kind: NotificationKind): Kind => notificationKinds[kind];
export const kindNames = Object.keys(notificationKinds) as NotificationKind[];

const Kind = Type.Enum(kindNames, {
  $id: 'NotificationKind',
  type: 'string',
  description: 'What it is about. More may come.',
});
const Side = Type.Enum(['customer', 'studio'], {
  type: 'string',
  description: '`customer` for what concerns a customer, `studio` for what concerns an operator.',
});
const Mail = Type.Enum([...mailChoices], {
  type: 'string',
  description:
    '`now`: a mail each time. `daily`: one mail a day, at 7:00 in the time zone of the studio. `never`: only in the app.',
});

export const Notification = Closed(
  {
    id: Id('ntf'),
    kind: Kind,
    title: Type.String({ description: 'What happened, in a few words.' }),
    about: Type.String({
      description: 'What it happened to, such as the title of a job, the name of a plan or the program of a sign-in.',
    }),
    job_id: Nullable(Id('job'), 'The job that it is about.'),
    words: Nullable(
      Closed({
        author: Type.String({ description: 'Who wrote them, with their name today.' }),
        text: Type.String({ description: 'The first 140 characters, in one line.' }),
      }),
      'The newest words behind it, such as those of a message. Null if there are none, and in the export of a person.',
    ),
    path: Type.String({
      description: 'The page where it can be seen.',
      examples: ['/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0'],
    }),
    created_at: Timestamp('When it happened, or was noticed.'),
    read_at: Nullable(Timestamp('When the person saw it.')),
  },
  { $id: 'Notification', description: 'A notification of a person.' },
);

export const NotificationChoice = Closed(
  {
    kind: Kind,
    side: Side,
    says: Type.String({ description: 'What it tells.' }),
    mail: Mail,
  },
  { $id: 'NotificationChoice', description: 'How a person is notified of one kind.' },
);

const notifications = { ...person, tag: 'Notifications' } as const;
const side = Type.Optional(Side);

export const listNotifications = endpoint({
  ...notifications,
  operationId: 'listNotifications',
  method: 'GET',
  path: '/api/auth/notifications',
  summary: 'List your notifications',
  description:
    'Those of the account that the session acts for, and those about yourself: of each job the newest. With `side=studio`, those of the desk. They are kept for 90 days.',
  query: Closed({ side, ...page }),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ notifications: Type.Array(Notification), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const countNotifications = endpoint({
  ...notifications,
  operationId: 'countNotifications',
  method: 'GET',
  path: '/api/auth/notifications/unread',
  summary: 'Count your unread notifications',
  description: 'Notifications about one job count as one; at the desk each counts.',
  query: Closed({ side }),
  answers: {
    200: { description: 'The number.', schema: Closed({ unread: Count('Unread notifications, counted up to 100.') }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const readNotification = endpoint({
  ...notifications,
  operationId: 'readNotification',
  method: 'POST',
  path: '/api/auth/notifications/{id}/read',
  summary: 'Mark a notification as seen',
  description: 'And earlier ones about the same job, except at the desk.',
  idempotent: 'by_nature',
  params: IdParams('ntf'),
  body: Closed({
    earlier: Type.Optional(
      Type.Boolean({ default: false, description: 'Also every earlier one of the same side.', examples: [true] }),
    ),
  }),
  answers: { 200: { description: 'Seen.', schema: Closed({ unread: Count('Those left unread on that side.') }) } },
  errors: { 404: ['notification_not_found'], 422: ['invalid_request'] },
});

export const readJobNotifications = endpoint({
  ...notifications,
  operationId: 'readJobNotifications',
  method: 'POST',
  path: '/api/auth/notifications/read',
  summary: 'Mark all notifications about a job as seen',
  description:
    'Those of the account that the session acts for. The page of the job sends it when somebody looks at it.',
  idempotent: 'by_nature',
  body: Closed({ job_id: Id('job', 'The job that the person looks at.') }),
  answers: { 200: { description: 'Seen.', schema: Closed({ unread: Count('Those left unread.') }) } },
  errors: { 422: ['invalid_request'] },
});

const Choices = Closed({ notification_choices: Type.Array(NotificationChoice) });

export const readNotificationChoices = endpoint({
  ...notifications,
  operationId: 'readNotificationChoices',
  method: 'GET',
  path: '/api/auth/notification-choices',
  summary: 'Read your notification choices',
  answers: { 200: { description: 'Every kind; those of the studio only for operators.', schema: Choices } },
  errors: {},
});

export const chooseNotifications = endpoint({
  ...notifications,
  operationId: 'chooseNotifications',
  method: 'PATCH',
  path: '/api/auth/notification-choices',
  summary: 'Choose your notifications by kind',
  description: 'A job that you mute (`PUT /api/v1/jobs/{id}/following`) tells you nothing, whatever you choose here.',
  idempotent: 'by_nature',
  body: Closed({
    kinds: Type.Array(Kind, { minItems: 1, maxItems: kindNames.length, uniqueItems: true, description: 'Which.' }),
    mail: Mail,
  }),
  answers: { 200: { description: 'Chosen.', schema: Choices } },
  errors: { 422: ['invalid_request'] },
});

export const unsubscribe = endpoint({
  tag: 'Notifications',
  auth: 'public',
  operationId: 'unsubscribe',
  method: 'POST',
  path: '/api/auth/unsubscribe',
  summary: 'Stop the mails of a kind with the token of one of them',
  description: 'Without a session. The settings can turn them on again.',
  idempotent: 'refused',
  body: Closed({
    token: Type.String({
      description: 'The token in the unsubscribe link of a mail. It works any number of times.',
      minLength: 1,
      maxLength: 200,
      examples: ['XkV0c2hTQ1p4b2RzYWdlZQ'],
    }),
  }),
  rate: 'use_mail_token',
  answers: {
    200: {
      description: 'No more such mails.',
      schema: Closed({ ended: Type.Array(Type.String(), { description: 'What they were about.' }) }),
    },
  },
  errors: { 422: ['invalid_request'] },
});
