import Type from 'typebox';
import { BrandFact } from '../ordering/brand.ts';
import { Calendar } from './calendar.ts';
import { ConnectedApp } from '../developer/connected-apps.ts';
import { endpoint } from '../endpoint.ts';
import { Role } from '../plans/entitlements.ts';
import { answeredFields } from '../jobs/new-job.ts';
import { OperatorRole } from '../desk/operators.ts';
import { optionalNames, reusedNames } from '../jobs/optional-fields.ts';
import { Done, Password, SecondFactorCode, User } from './people.ts';
import { ListedSession, person } from './sessions.ts';
import { Notification, NotificationChoice } from './notifications.ts';
import { Closed, Id, Nullable, Timestamp } from '../shapes.ts';

const text = Type.String({ description: 'As it is stored.' });
const PersonalData = Closed(
  {
    user: Closed(
      {
        ...User.properties,
        second_factor: Type.Boolean({ description: 'Whether sign-in asks for a code too.' }),
        created_at: Timestamp('When you signed up.'),
      },
      { description: 'The person.' },
    ),
    sessions: Type.Array(ListedSession),
    memberships: Type.Array(
      Closed({
        account: Closed({ id: Id('acct'), name: text }, { description: 'The account that you belong to.' }),
        role: Role,
        created_at: Timestamp('When you joined.'),
      }),
      { description: 'Accounts that you belong to.' },
    ),
    invitations_sent: Type.Array(
      Closed({ id: Id('inv'), email: text, role: Role, created_at: Timestamp('When it was sent.') }),
      {
        description: 'Invitations that you sent.',
      },
    ),
    operator_invitations_sent: Type.Array(
      Closed({ id: Id('oinv'), email: text, role: OperatorRole, created_at: Timestamp('When it was sent.') }),
      { description: 'Open invitations of operators that you sent.' },
    ),
    api_keys: Type.Array(
      Closed({ id: Id('key'), name: text, prefix: text, created_at: Timestamp('When it was created.') }),
      {
        description: 'API keys that you created.',
      },
    ),
    connected_apps: Type.Array(ConnectedApp, { description: 'Apps that you connected.' }),
    notification_choices: Type.Array(NotificationChoice, { description: 'Your notification choices.' }),
    calendars: Type.Array(Closed({ account_id: Id('acct'), ...Calendar.properties }), {
      description: 'Your calendar addresses. Each is stored as a hash.',
    }),
    notifications: Type.Array(Notification, { description: 'Your notifications of the last 90 days.' }),
    jobs: Type.Array(
      Closed({
        id: Id('job'),
        customer_title: text,
        customer_instructions: text,
        ...answeredFields(optionalNames),
        status: text,
        created_at: Timestamp('When it was created.'),
      }),
      { description: 'Jobs that you created in a session, in accounts to which you belong.' },
    ),
    messages: Type.Array(
      Closed({ id: Id('msg'), job_id: Id('job'), text, created_at: Timestamp('When it was sent.') }),
      { description: 'What you wrote in the threads of jobs, in accounts to which you belong.' },
    ),
    comments: Type.Array(
      Closed({ id: Id('cmt'), job_id: Id('job'), text, created_at: Timestamp('When it was written.') }),
      { description: 'Your comments on deliveries, in accounts to which you belong.' },
    ),
    replies: Type.Array(
      Closed({ id: Id('rpl'), job_id: Id('job'), text, created_at: Timestamp('When it was written.') }),
      { description: 'Your replies to comments, in accounts to which you belong.' },
    ),
    brands: Type.Array(
      Closed({
        account_id: Id('acct'),
        facts: Type.Array(BrandFact),
        updated_at: Timestamp('When you changed it.'),
      }),
      { description: 'Brand kits that you changed last, of accounts to which you belong.' },
    ),
    templates: Type.Array(
      Closed({
        id: Id('tpl'),
        name: text,
        answers: Type.Array(Closed({ requirement: text, answer: text }), { description: 'Its answers.' }),
        words: text,
        ...answeredFields(reusedNames),
        created_at: Timestamp('When it was created.'),
      }),
      { description: 'Templates that you created, of accounts to which you belong.' },
    ),
    orders: Type.Array(
      Closed({
        id: Id('ord'),
        customer_title: Nullable(Type.String(), 'Of what you ordered; null for the order of somebody else.'),
        words: Nullable(Type.String(), 'With which you declined it.'),
        created_at: Timestamp('When it was ordered.'),
      }),
      { description: 'Orders that you sent to be confirmed, or decided about, in accounts to which you belong.' },
    ),
    quota_adjustments: Type.Array(
      Closed({
        id: Id('adj'),
        account_id: Id('acct'),
        quantity: Type.Integer({ description: 'Jobs charged; below zero, jobs given back.' }),
        reason: text,
        created_at: Timestamp('When you wrote it.'),
      }),
      { description: 'Quota that you gave back or charged as an owner of the studio.' },
    ),
    noted_times: Type.Array(
      Closed({
        id: Id('time'),
        job_id: Id('job'),
        minutes: Type.Integer({ description: 'How long.' }),
        worked_on: Type.String({ description: 'On which day.' }),
        words: Nullable(text),
        created_at: Timestamp('When you noted it.'),
      }),
      { description: 'Time that you noted on jobs as an operator of the studio.' },
    ),
  },
  { $id: 'PersonalData', description: 'Everything that is stored about the person.' },
);

export const exportPerson = endpoint({
  ...person,
  operationId: 'exportPerson',
  method: 'GET',
  path: '/api/auth/export',
  summary: 'Export everything that is stored about you',
  answers: { 200: { description: 'Your data.', schema: PersonalData } },
  errors: {},
});

export const deletePerson = endpoint({
  ...person,
  operationId: 'deletePerson',
  method: 'POST',
  path: '/api/auth/delete',
  summary: 'Delete yourself',
  description:
    'Refused while a change of your address, password or second factor can be undone, and while you are an operator or the last owner of an account with jobs or a plan. Accounts that only you own are closed and their uploads deleted. Records that remain do not contain your name.',
  idempotent: 'refused',
  body: Closed({ password: Password(1), code: SecondFactorCode }),
  answers: { 200: { description: 'You are gone.', schema: Done } },
  errors: { 403: ['second_factor_required'], 422: ['invalid_request'] },
});
