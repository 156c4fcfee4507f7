/** Defines every move of a job. Plain data, used by the server, `allowed_actions` and the pages. */
export const jobStatuses = [
  'queued',
  'accepted',
  'running',
  'needs_review',
  'ready_for_customer_review',
  'completed',
  'rejected',
  'canceled',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const endedStatuses = ['completed', 'rejected', 'canceled'] as const satisfies JobStatus[];

export type Actor = 'customer' | 'operator' | 'worker' | 'service';

type MoveLine = { by: readonly Actor[]; from: readonly JobStatus[]; to: JobStatus };

export const moves = {
  accept: { by: ['operator', 'worker'], from: ['queued'], to: 'accepted' },
  start: { by: ['operator', 'worker'], from: ['accepted'], to: 'running' },
  submit: { by: ['operator', 'worker'], from: ['running'], to: 'needs_review' },
  pass: { by: ['operator'], from: ['needs_review'], to: 'ready_for_customer_review' },
  return: { by: ['operator'], from: ['needs_review'], to: 'running' },
  reject: { by: ['operator'], from: ['queued', 'accepted', 'running', 'needs_review'], to: 'rejected' },
  release: { by: ['operator', 'worker', 'service'], from: ['accepted', 'running'], to: 'queued' },
  expire: { by: ['service'], from: ['accepted', 'running'], to: 'queued' },
  approve: { by: ['customer', 'service'], from: ['ready_for_customer_review'], to: 'completed' },
  revision: { by: ['customer'], from: ['ready_for_customer_review'], to: 'accepted' },
  cancel: { by: ['customer'], from: ['queued', 'accepted', 'running', 'needs_review'], to: 'canceled' },
} as const satisfies Record<string, MoveLine>;
export type MoveName = keyof typeof moves;

/** A parked job is offered to operators only. An operator's move or a revision resets the count. */
export const parkedAfter = 5;

/** With `quality_review: false`, submitted work goes directly to the customer. */
export const submitsTo = (qualityReview: boolean): JobStatus => (qualityReview ? moves.submit.to : moves.pass.to);

export const isEnded = (status: JobStatus): boolean => (endedStatuses as readonly JobStatus[]).includes(status);

/** A job that has ended takes messages for this many days. */
export const talkDaysAfterEnd = 30;

/** `since`: when the job got its status; both times in milliseconds. */
export const takesMessages = (status: JobStatus, since: number, now: number): boolean =>
  !isEnded(status) || now - since < talkDaysAfterEnd * 86_400_000;

export const mayMove = (move: MoveName, actor: Actor): boolean => (moves[move].by as readonly Actor[]).includes(actor);

export const canMove = (move: MoveName, status: JobStatus): boolean =>
  (moves[move].from as readonly JobStatus[]).includes(status);

/** A revision also needs a remaining round and an active plan. */
const customerMoves = ['approve', 'cancel', 'revision'] as const satisfies MoveName[];
/** `answer` is not a move: a message to the studio answers its open questions. */
export const customerActions = [...customerMoves, 'answer'] as const;
export type CustomerAction = (typeof customerActions)[number];

export const allowedActions = (
  status: JobStatus,
  revisions: { used: number; included: number },
  hasPlan: boolean,
  waiting: boolean,
): CustomerAction[] => [
  ...customerMoves.filter(
    (action) => canMove(action, status) && (action !== 'revision' || (hasPlan && revisions.used < revisions.included)),
  ),
  ...(waiting ? (['answer'] as const) : []),
];

/** While the studio has the job, a question of the studio stops its clock. */
export const canAsk = (status: JobStatus): boolean => canMove('cancel', status);

/** Not a move: while the studio has the job, operators move its due date. */
export const canReschedule = (status: JobStatus): boolean => canMove('cancel', status);

/** In the order in which the page shows them. */
export const deskActions = ['accept', 'start', 'submit', 'pass', 'return', 'release', 'hold', 'reject'] as const;
export type DeskAction = (typeof deskActions)[number];

export type JobHolder = { operator_id: string | null } | null;

/** Not a move: changes the holder of a job in progress. */
export const canHold = (status: JobStatus): boolean => canMove('release', status);

export const isHeldByOther = (holder: JobHolder, me: string): boolean =>
  holder !== null && holder.operator_id !== null && holder.operator_id !== me;

/** The right that an operator needs; the names are those of `operator-roles.ts`. */
export const rightFor = {
  accept: 'work',
  start: 'work',
  submit: 'work',
  pass: 'review',
  return: 'review',
  release: 'work',
  hold: 'work',
  reject: 'reject',
} as const satisfies Record<DeskAction, string>;

type May = (right: (typeof rightFor)[DeskAction] | 'direct') => boolean;
export type MoveRefusal = 'role' | 'held_by_other';

/** Version 0.2.0 does not answer `round_operators`. */
type Work = { other_reviewer: boolean; worked_by: string | null; round_operators?: readonly string[] };

/** Some options have their work passed by somebody else than the operators who did it. */
export const isOwnWork = ({ other_reviewer, worked_by, round_operators }: Work, me: string): boolean =>
  other_reviewer && (worked_by === me || round_operators?.includes(me) === true);

/** What keeps an operator from a holder's move, or from holding the job. Null if nothing does. */
export function holdRefusal(
  move: 'start' | 'submit' | 'release' | 'hold',
  holder: JobHolder,
  me: string,
  may: May,
): MoveRefusal | null {
  if (holder === null || holder.operator_id === me) return null;
  if ((move === 'start' || move === 'submit') && isHeldByOther(holder, me)) return 'held_by_other';
  return may('direct') ? null : 'role';
}

function refusalOf(move: DeskAction, holder: JobHolder, me: string, may: May): MoveRefusal | null {
  if (!may(rightFor[move])) return 'role';
  const byHolder = move === 'start' || move === 'submit' || move === 'release' || move === 'hold';
  return byHolder ? holdRefusal(move, holder, me, may) : null;
}

/** The moves of a status, and what keeps this operator from each. */
export const deskMoves = (
  status: JobStatus,
  holder: JobHolder,
  me: string,
  may: May,
): { move: DeskAction; refused: MoveRefusal | null }[] =>
  deskActions
    .filter((move) => (move === 'hold' ? canHold(status) : canMove(move, status)))
    .map((move) => ({ move, refused: refusalOf(move, holder, me, may) }));
