import { Refusal } from '../http/refusal.ts';
import { beginToTakeEffect, doSharedWork } from '../http/work.ts';

/** One who asks, until there is an answer. */
type Turn<Question, Answer> = {
  question: Question;
  since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

type Statements<Question, Answer> = {
  /** Asks for many keys at once and waits for no lock; null where somebody else has locked the key. */
  ask: (questions: readonly Question[]) => Promise<(Answer | null)[]>;
  /** Asks for one key, and waits for its lock. */
  wait: (questions: readonly Question[]) => Promise<Answer[]>;
};

type Limits = {
  maxBatchSize: number;
  /** Statements at once that ask. */
  maxInFlight: number;
  /** How many calls begin a statement while another one runs. */
  besideFrom: number;
  /** Statements at once that wait for a lock. */
  maxWaiting: number;
  /** How long a call may stand in line. */
  maxWaitMs: number;
};

/** Milliseconds that a call waits for a statement that runs, however few are with it. */
const besideAfterMs = 20;

/** Those who have not asked yet, by key; the key that came first is first. */
class Lines<Question, Answer> {
  readonly #lines = new Map<string, Turn<Question, Answer>[]>();
  readonly #maxWaitMs: number;

  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  keys() {
    return this.#lines.keys();
  }

  /** Those whose key is not among `busy`: how many, and since when the first of them. */
  waiting(busy: ReadonlySet<string>): { count: number; since: number } {
    let [count, since] = [0, Infinity];
    for (const [key, line] of this.#lines) {
      if (busy.has(key)) continue;
      count += line.length;
      since = Math.min(since, line[0]?.since ?? Infinity);
    }
    return { count, since };
  }

  join(key: string, turn: Turn<Question, Answer>): void {
    const line = this.#lines.get(key);
    if (line) line.push(turn);
    else this.#lines.set(key, [turn]);
  }

  /** The next of a key behind `first`, without those who stood here for too long: they are refused. */
  take(key: string, limit: number, first: Turn<Question, Answer>[] = []): Turn<Question, Answer>[] {
    const line = this.#lines.get(key) ?? [];
    const turns = [...first, ...line.splice(0, limit - first.length)];
    if (line.length === 0) this.#lines.delete(key);
    const since = performance.now() - this.#maxWaitMs;
    for (const turn of turns)
      if (turn.since < since) turn.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '2' } }));
    return turns.filter((turn) => turn.since >= since);
  }
}

/** Whether calls that wait may begin a statement while another runs; where not yet, `lookAgain` is called in time. */
function besideRule(besideFrom: number, lookAgain: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return ({ count, since }: { count: number; since: number }): boolean => {
    if (count === 0) return false;
    const left = besideAfterMs - (performance.now() - since);
    if (count >= besideFrom || left <= 0) return true;
    timer ??= setTimeout(() => {
      timer = undefined;
      lookAgain();
    }, left);
    return false;
  };
}

/**
 * Like `batch`, where a statement locks the rows of keys: concurrent calls of one tick share a statement, and load
 * makes them larger instead of more. What comes while one runs waits for its end, unless `besideFrom` calls are together
 * or the first has waited for `besideAfterMs`: a statement costs far more than a further row of it. A key is in one statement at a time, so that our own never wait for each other;
 * one that somebody else has locked waits in a statement of its own, so that it keeps no other key waiting. Who stood
 * in line for too long is refused: the caller is told that it did not work, so it must not be done afterwards.
 */
export function keyedBatch<Question, Answer>(
  keyOf: (question: Question) => string,
  statements: Statements<Question, Answer>,
  { maxBatchSize, maxInFlight, besideFrom, maxWaiting, maxWaitMs }: Limits,
): (question: Question) => Promise<Answer> {
  type Turns = Turn<Question, Answer>[];
  const lines = new Lines<Question, Answer>(maxWaitMs);
  /** Who asked and found the key locked. */
  const locked = new Map<string, Turns>();
  /** Parties that are asked for, or wait. */
  const busy = new Set<string>();
  const running = { ask: 0, wait: 0 };

  /** Runs one statement; who is answered null is put among the locked. Then the next one begins. */
  async function run(kind: 'ask' | 'wait', turns: Turns): Promise<void> {
    running[kind]++;
    try {
      const answers = await statements[kind](turns.map(({ question }) => question));
      for (const [n, turn] of turns.entries()) {
        const [answer, key] = [answers[n], keyOf(turn.question)];
        if (answer === undefined) turn.reject(new Error('A question has no answer.'));
        else if (answer !== null) turn.resolve(answer);
        else locked.set(key, [...(locked.get(key) ?? []), turn]);
      }
    } catch (error) {
      for (const turn of turns) turn.reject(error);
    }
    running[kind]--;
    for (const { question } of turns) if (!locked.has(keyOf(question))) busy.delete(keyOf(question));
    begin();
  }

  const mayRunBeside = besideRule(besideFrom, begin);

  function begin(): void {
    for (const [key, first] of locked) {
      if (running.wait >= maxWaiting) break;
      locked.delete(key);
      const turns = lines.take(key, maxBatchSize, first);
      if (turns.length > 0) void run('wait', turns);
      else busy.delete(key);
    }
    while (running.ask < maxInFlight && (running.ask === 0 || mayRunBeside(lines.waiting(busy)))) {
      const turns: Turns = [];
      for (const key of lines.keys()) {
        if (turns.length >= maxBatchSize) break;
        if (busy.has(key)) continue;
        const next = lines.take(key, maxBatchSize - turns.length);
        if (next.length > 0) busy.add(key);
        turns.push(...next);
      }
      if (turns.length === 0) return;
      void run('ask', turns);
    }
  }

  let begins = false;
  return (question) =>
    new Promise((resolve, reject) => {
      beginToTakeEffect();
      lines.join(keyOf(question), { question, since: performance.now(), resolve, reject });
      if (begins) return;
      begins = true;
      setImmediate(() => {
        begins = false;
        doSharedWork(begin);
      });
    });
}
