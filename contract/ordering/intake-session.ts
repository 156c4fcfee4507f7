import Type from 'typebox';
import { DraftAnswer, IntentBrief, RequirementAnswer, Suggestion } from '../jobs/brief.ts';
import { answeredFields } from '../jobs/new-job.ts';
import { studioNames } from '../jobs/optional-fields.ts';
import { Closed, Creator, Id, NextAction, Nullable, Timestamp } from '../shapes.ts';

/** Messages of both sides. */
export const mostMessages = 200;
export const mostOpenSessions = 100;
/** Code points that the customer's words may have. */
export const mostWords = 20_000;

export const IntakeMessage = Closed(
  {
    id: Id('msg'),
    role: Type.Enum(['customer', 'concierge'], { type: 'string', description: 'Who wrote it.' }),
    content: Type.String({ description: 'Plain text.' }),
    understood: Type.Array(RequirementAnswer, {
      description:
        'In replies of the concierge: the answers that the previous message gave. Empty in messages of the customer.',
    }),
    created_at: Timestamp('When it was sent.'),
  },
  { $id: 'IntakeMessage', description: 'A message of the conversation.' },
);

export const SessionStatus = Type.Enum(['open', 'brief_ready', 'confirmed', 'closed', 'expired'], {
  type: 'string',
  description:
    '`brief_ready`: a service is chosen, and each requirement is answered, optional or left open by the customer. The brief can be confirmed, and changed until then.',
});

const session = {
  id: Id('ise'),
  status: SessionStatus,
  service_family: Type.String({ description: 'The family that it is about.' }),
  service_type: Nullable(Type.String(), 'Null until the option is known.'),
  version: Type.Integer({
    minimum: 0,
    description:
      'Grows by one with each change. If a change answers a version more than one above the one you had, somebody else changed the draft in between.',
  }),
  answers: Type.Array(DraftAnswer, { description: 'What the customer answered or accepted.' }),
  suggestions: Type.Array(Suggestion, {
    description: 'What their words may answer. Nothing of it counts until the customer accepts it.',
  }),
  missing_intake_requirements: Type.Array(Type.String(), {
    description: 'Requirements without an answer, including those only suggested or left open.',
  }),
  open_requirements: Type.Array(Type.String(), { description: 'Those of them that the customer leaves open.' }),
  file_ids: Type.Array(Id('file'), { description: 'Files that go along.' }),
  customer_title: Nullable(
    Type.String(),
    'Null until the customer names the job; the brief then has a title of its own.',
  ),
  ...answeredFields(studioNames),
  brand_kit: Type.Boolean({ description: 'Whether the job gets a copy of the brand kit.' }),
  words: Type.String({ description: 'What the customer wrote, as it goes to the studio below the answers.' }),
  suggested_replies: Type.Array(
    Closed({
      label: Type.String({ description: 'The label for a button.' }),
      message: Type.String({ description: 'The `content` to send for it.' }),
    }),
    { description: 'Messages that the concierge certainly understands now. Any other text works too.' },
  ),
  intent_brief: Nullable(IntentBrief, 'The proposed brief; null until there is one.'),
  job_id: Nullable(Id('job'), 'The job created by the confirmation.'),
  expires_at: Timestamp('Thirty days after opening. An ended conversation stays readable.'),
  created_by: Creator,
  created_at: Timestamp('When it was opened.'),
};

export const IntakeSession = Closed(
  {
    ...session,
    messages: Type.Array(IntakeMessage, { maxItems: mostMessages, description: 'Oldest first.' }),
    next_action: NextAction,
  },
  { $id: 'IntakeSession', description: 'A conversation with the concierge.' },
);

export const IntakeListItem = Closed(session, {
  $id: 'IntakeListItem',
  description: 'A conversation without its messages; read it to see them.',
});

/** What the operations on sessions share. */
export const onSessions = { tag: 'Intake', auth: 'caller' } as const;
export const sessionsPath = '/api/v1/intake/sessions';
export const sessionNotFound = { 404: ['intake_session_not_found'] } as const;
