import { Refusal } from '../http/refusal.ts';

/** One who asks, until there is an answer. */
type Turn<Question, Answer> = {
  question: Question;
  since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

type Statements<Question, Answer> = {
  /** Asks for many parties at once and waits for no lock; null where somebody else has locked the party. */
  ask: (questions: readonly Question[]) => Promise<(Answer | null)[]>;
  /** Asks for one party, and waits for its lock. */
  wait: (questions: readonly Question[]) => Promise<Answer[]>;
};

/** Questions in one statement at most; statements at once that ask; statements at once that wait; milliseconds in line. */
type Limits = { atMost: number; inFlight: number; waiting: number; patience: number };

/** Those who have not asked yet, by party; the party that came first is first. */
class Lines<Question, Answer> {
  readonly #lines = new Map<string, Turn<Question, Answer>[]>();
  readonly #patience: number;

  constructor(patience: number) {
    this.#patience = patience;
  }

  parties() {
    return this.#lines.keys();
  }

  join(party: string, turn: Turn<Question, Answer>): void {
    const line = this.#lines.get(party);
    if (line) line.push(turn);
    else this.#lines.set(party, [turn]);
  }

  /** The next of a party behind `first`, without those who stood here for too long: they are refused. */
  take(party: string, room: number, first: Turn<Question, Answer>[] = []): Turn<Question, Answer>[] {
    const line = this.#lines.get(party) ?? [];
    const taken = [...first, ...line.splice(0, room - first.length)];
    if (line.length === 0) this.#lines.delete(party);
    const since = performance.now() - this.#patience;
    for (const turn of taken)
      if (turn.since < since) turn.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '2' } }));
    return taken.filter((turn) => turn.since >= since);
  }
}

/**
 * Like `coalesce`, where a statement locks the rows of parties: concurrent calls of one tick share a statement, and load
 * makes them larger instead of more. A party is in one statement at a time, so that our own never wait for each other;
 * one that somebody else has locked waits in a statement of its own, so that it keeps no other party waiting. Who stood
 * in line for too long is refused: the caller is told that it did not work, so it must not be done afterwards.
 */
export function takeTurns<Question, Answer>(
  partyOf: (question: Question) => string,
  statements: Statements<Question, Answer>,
  { atMost, inFlight, waiting, patience }: Limits,
): (question: Question) => Promise<Answer> {
  type Turns = Turn<Question, Answer>[];
  const lines = new Lines<Question, Answer>(patience);
  /** Who asked and found the party locked. */
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
        const [answer, party] = [answers[n], partyOf(turn.question)];
        if (answer === undefined) turn.reject(new Error('A question has no answer.'));
        else if (answer !== null) turn.resolve(answer);
        else locked.set(party, [...(locked.get(party) ?? []), turn]);
      }
    } catch (error) {
      for (const turn of turns) turn.reject(error);
    }
    running[kind]--;
    for (const { question } of turns) if (!locked.has(partyOf(question))) busy.delete(partyOf(question));
    begin();
  }

  function begin(): void {
    for (const [party, first] of locked) {
      if (running.wait >= waiting) break;
      locked.delete(party);
      const turns = lines.take(party, atMost, first);
      if (turns.length > 0) void run('wait', turns);
      else busy.delete(party);
    }
    while (running.ask < inFlight) {
      const turns: Turns = [];
      for (const party of lines.parties()) {
        if (turns.length >= atMost) break;
        if (busy.has(party)) continue;
        const next = lines.take(party, atMost - turns.length);
        if (next.length > 0) busy.add(party);
        turns.push(...next);
      }
      if (turns.length === 0) return;
      void run('ask', turns);
    }
  }

  let begins = false;
  return (question) =>
    new Promise((resolve, reject) => {
      lines.join(partyOf(question), { question, since: performance.now(), resolve, reject });
      if (begins) return;
      begins = true;
      setImmediate(() => {
        begins = false;
        begin();
      });
    });
}
