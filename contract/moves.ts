/**
 * Every move of a job, and the only place that knows them. Plain data without a schema
 * library: the server decides by it, `allowed_actions` is read from it, and so are buttons later.
 */
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

/** Polling stops here, and so does counting as active. */
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

/** After this many expired leases a queued job is parked: offered to operators only. An operator's move or a revision resets the count. */
export const parkedAfter = 5;

/** Options with `quality_review: false` go to the customer straight from submit. */
export const submitsTo = (qualityReview: boolean): JobStatus => (qualityReview ? moves.submit.to : moves.pass.to);

export const isEnded = (status: JobStatus): boolean => (endedStatuses as readonly JobStatus[]).includes(status);

export const mayMove = (move: MoveName, actor: Actor): boolean => (moves[move].by as readonly Actor[]).includes(actor);

export const canMove = (move: MoveName, status: JobStatus): boolean =>
  (moves[move].from as readonly JobStatus[]).includes(status);

/** What a customer may do with a job in this status; a revision also needs a round left and an active plan. */
export const customerActions = ['approve', 'cancel', 'revision'] as const satisfies MoveName[];
export type CustomerAction = (typeof customerActions)[number];

export const allowedActions = (
  status: JobStatus,
  revisions: { used: number; included: number },
  hasPlan: boolean,
): CustomerAction[] =>
  customerActions.filter(
    (action) => canMove(action, status) && (action !== 'revision' || (hasPlan && revisions.used < revisions.included)),
  );

/** What an operator may do with a job at the desk, in the order in which a page offers it. */
export const deskActions = ['accept', 'start', 'submit', 'pass', 'return', 'release', 'hold', 'reject'] as const;
export type DeskAction = (typeof deskActions)[number];

/** Who holds a job now: an operator, or a worker under a lease. */
export type JobHolder = { operator_id: string | null } | null;

/** Taking or handing over is no move: it changes who holds a job that somebody works on. */
export const canHold = (status: JobStatus): boolean => canMove('release', status);

/** The moves of a holder; an operator may also make them where nobody holds the job, or a worker. */
const ofHolder: readonly DeskAction[] = ['start', 'submit', 'release'];

export const isHeldByOther = (holder: JobHolder, me: string): boolean =>
  holder !== null && holder.operator_id !== null && holder.operator_id !== me;

/** What the operator `me` may do with a job in this status. Those of a holder are refused where another operator holds it. */
export const deskMoves = (
  status: JobStatus,
  holder: JobHolder,
  me: string,
): { move: DeskAction; refused: 'held_by_other' | null }[] =>
  deskActions
    .filter((move) => (move === 'hold' ? canHold(status) : canMove(move, status)))
    .map((move) => ({ move, refused: ofHolder.includes(move) && isHeldByOther(holder, me) ? 'held_by_other' : null }));
