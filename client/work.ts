import { AtelierError } from './error.ts';
import type { Operations } from './generated/sdk.gen.ts';
import type { ClaimJobResponses, File } from './generated/types.gen.ts';
import { wait } from './send.ts';
import { type Steps, uploadBy, type UploadOptions } from './upload-by.ts';

type Claimed = ClaimJobResponses[200];

/** A job that this worker holds. */
export type Task = {
  job: Claimed['job'];
  /** What the customer and the studio wrote to each other, newest first. */
  messages: Claimed['messages'];
  /** The last revision that the customer requested, with its comments; null before the first. */
  revision: Claimed['revision'];
  /** Marks a comment of the revision as done. The customer reads the note with the next delivery. */
  complete(commentId: string, note?: string): Promise<void>;
  /** Aborts when the lease is lost, the customer cancels, the handler asks, or the worker ends. */
  signal: AbortSignal;
  /** Uploads a deliverable, by its path or as a Blob. It is submitted when the handler ends. */
  upload(file: string | Blob, options?: Omit<UploadOptions, 'signal'>): Promise<File>;
  /** Writes to the customer. */
  send(text: string): Promise<Claimed['messages'][number]>;
  /** Withdraws a message that this worker sent in the last 15 minutes; its text is deleted. */
  withdraw(messageId: string): Promise<void>;
  /**
   * Asks the customer and gives the job back; nothing is submitted. Once it is answered, the job is claimed
   * first, and `messages` has the answer.
   */
  ask(question: string): Promise<void>;
  /**
   * Gives the job back without work, and tells the studio why: never the customer. It counts like an expired
   * lease, and another worker gets it first. The fifth time the studio's people have to look at it.
   */
  giveUp(reason: string): Promise<void>;
};

/** What a handler says to the customer; needed where it uploaded nothing. */
export type Finished = { message?: string | undefined };

export type WorkOptions = {
  /** Only jobs of these families. */
  families?: string[] | undefined;
  /** How long a job is held without a heartbeat, 5 to 3,600. Default 60. */
  leaseSeconds?: number | undefined;
  /**
   * Hears of a job that failed, whose lease was lost or that was given back because the handler threw. Left
   * out, the first thrown error ends the work and is thrown; a lost lease does not.
   */
  onError?: ((error: unknown, job: Claimed['job']) => void) | undefined;
  signal?: AbortSignal | undefined;
};

type Handle = (task: Task) => Promise<Finished | void>;

const passes = (error: unknown) =>
  error instanceof AtelierError && (error.code === 'limit_reached' || [0, 429].includes(error.status) || error.status >= 500);

type Context = {
  retries: number;
  leaseSeconds: number;
  signal?: AbortSignal | undefined;
  onLost: (error: AtelierError) => void;
};

export async function workOn(operations: Operations, retries: number, handle: Handle, options: WorkOptions): Promise<void> {
  const { families, leaseSeconds = 60, onError, signal } = options;
  const body = { lease_seconds: leaseSeconds, wait: 25, ...(families ? { service_families: families } : {}) };
  while (!signal?.aborted) {
    let claimed: Claimed | null = null;
    try {
      claimed = await operations.claimJob({ body, ...(signal ? { signal } : {}) });
      const { job } = claimed ?? {};
      const onLost = (error: AtelierError) => job && onError?.(error, job);
      if (claimed) await workOnJob(operations, claimed, handle, { retries, leaseSeconds, signal, onLost });
    } catch (error) {
      if (signal?.aborted) return;
      if (claimed && onError) onError(error, claimed.job);
      else if (claimed || !(passes(error) || isLost(error))) throw error; // a claim whose answer was lost may have ended
      else await wait(1 + Math.random() * 4, signal).catch(() => {});
    }
  }
}

const isLost = (error: unknown) => error instanceof AtelierError && error.code === 'lease_lost';

/** One job under its lease, until it is submitted or lost. */
async function workOnJob(operations: Operations, claimed: Claimed, handle: Handle, context: Context): Promise<void> {
  const { job, lease, messages, revision } = claimed;
  const [path, mine] = [{ id: job.id }, { lease_token: lease.token }];
  const [lost, done] = [new AbortController(), new AbortController()];
  const { signal } = lost;
  const steps: Steps = {
    presign: (fields, idempotencyKey) =>
      operations.presignDeliverable({ path, body: { ...mine, ...fields }, idempotencyKey, signal }),
    complete: (id) => operations.completeDeliverable({ path: { id }, signal }),
  };
  const file_ids: string[] = [];
  const upload: Task['upload'] = async (file, options) => {
    const uploaded = await uploadBy(steps, file, { ...options, retries: context.retries, signal });
    file_ids.push(uploaded.id);
    return uploaded;
  };
  const complete: Task['complete'] = async (comment_id, note) => {
    const body = { ...mine, ...(note === undefined ? {} : { note }) };
    await operations.completeComment({ path: { id: job.id, comment_id }, body, signal });
  };
  const send: Task['send'] = async (text) =>
    (await operations.sendDeskMessage({ path, body: { ...mine, text }, signal })).message;
  const withdraw: Task['withdraw'] = async (message_id) => {
    await operations.withdrawDeskMessage({ path: { id: job.id, message_id }, body: mine, signal });
  };
  const ask: Task['ask'] = async (text) => {
    await operations.sendDeskMessage({ path, body: { ...mine, text, question: true }, signal });
    lost.abort(new Error('The job was given back with the question.'));
  };
  const giveUp: Task['giveUp'] = async (reason) => {
    await operations.releaseJob({ path, body: { ...mine, reason }, signal });
    lost.abort(new Error('The job was given back.'));
  };
  void keep(() => operations.heartbeatLease({ path, body: mine, ...patience(context), signal: done.signal }), context, lost, done.signal);
  try {
    if (job.status === 'accepted') await operations.startJob({ path, body: mine, signal });
    const ending = context.signal ? AbortSignal.any([signal, context.signal]) : signal;
    const talk = { messages, send, withdraw, ask, giveUp };
    const { message } = (await handle({ job, revision, complete, signal: ending, upload, ...talk })) ?? {};
    const said = message === undefined ? {} : { message };
    await operations.submitJob({ path, body: { ...mine, ...said, ...(file_ids.length > 0 ? { file_ids } : {}) }, signal });
  } catch (error) {
    if (signal.aborted || isLost(error)) {
      const why: unknown = signal.aborted ? signal.reason : error;
      if (why instanceof AtelierError) context.onLost(why); // else it was canceled, or given back
      return;
    }
    const reason = context.signal?.aborted ? 'The worker was stopped.' : `The worker failed: ${nameOf(error)}.`;
    // If this fails, the lease expires.
    await operations.releaseJob({ path, body: { ...mine, reason } }).catch(() => {});
    throw error;
  } finally {
    done.abort();
  }
}

/** Without its message, which may have secrets of the worker. */
function nameOf(error: unknown): string {
  if (error instanceof AtelierError) return `${error.name} ${error.code}`;
  return error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'an error without a name';
}

const patience = ({ leaseSeconds }: Context) => ({ retries: 0, timeoutSeconds: leaseSeconds / 3 });

/** Sends heartbeats until the work is done. A lost connection ends nothing before the lease has ended. */
async function keep(
  beat: () => Promise<{ cancel_requested: boolean }>,
  { leaseSeconds }: Context,
  lost: AbortController,
  done: AbortSignal,
): Promise<void> {
  let heldUntil = Date.now() + leaseSeconds * 1000;
  for (;;) {
    await wait(leaseSeconds / 3, done).catch(() => {});
    if (done.aborted) return;
    const sentAt = Date.now();
    try {
      if ((await beat()).cancel_requested) return lost.abort(new Error('The customer has canceled the job.'));
      heldUntil = sentAt + leaseSeconds * 1000;
    } catch (error) {
      if (done.aborted) return;
      if (!passes(error) || Date.now() >= heldUntil) return lost.abort(error);
    }
  }
}
