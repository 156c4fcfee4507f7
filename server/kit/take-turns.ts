import { Refusal } from './refusal.ts';

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

/**
 * Like `coalesce`, where a statement locks the rows of parties: concurrent calls of one tick share a statement, and load
 * makes them larger instead of more. A party is in one statement at a time, so that our own never wait for each other;
 * one that somebody else has locked waits in a statement of its own, so that it keeps no other party waiting. Who stood
 * in line for too long is refused: the caller is told that it did not work, so it must not be done afterwards.
 */
export function takeTurns<Question, Answer>(
  partyOf: (question: Question) => string,
  { ask, wait }: Statements<Question, Answer>,
  { atMost, inFlight, waiting, patience }: Limits,
): (question: Question) => Promise<Answer> {
  type Turns = Turn<Question, Answer>[];
  /** Who has not asked yet, by party; the party that came first is first. */
  const lines = new Map<string, Turns>();
  /** Who asked and found the party locked. */
  const locked = new Map<string, Turns>();
  /** Parties that are asked for, or wait. */
  const busy = new Set<string>();
  const running = { ask: 0, wait: 0 };
  let begins = false;

  function take(party: string, room: number): Turns {
    const line = lines.get(party) ?? [];
    const taken = line.splice(0, room);
    if (line.length === 0) lines.delete(party);
    return taken;
  }

  function refuseLate(turns: Turns): Turns {
    const since = performance.now() - patience;
    const [late, inTime] = [turns.filter((turn) => turn.since < since), turns.filter((turn) => turn.since >= since)];
    for (const { reject } of late) reject(new Refusal('service_unavailable', { headers: { 'retry-after': '2' } }));
    return inTime;
  }

  /** Runs one statement; who is answered null is put among the locked. Then the next one begins. */
  async function run(kind: 'ask' | 'wait', turns: Turns): Promise<void> {
    running[kind]++;
    const parties = new Set(turns.map(({ question }) => partyOf(question)));
    try {
      const answers = await (kind === 'ask' ? ask : wait)(turns.map(({ question }) => question));
      for (const [n, turn] of turns.entries()) {
        const answer = answers[n];
        const party = partyOf(turn.question);
        if (answer === undefined) turn.reject(new Error('A question has no answer.'));
        else if (answer !== null) turn.resolve(answer);
        else locked.set(party, [...(locked.get(party) ?? []), turn]);
      }
    } catch (error) {
      for (const turn of turns) turn.reject(error);
    }
    running[kind]--;
    for (const party of parties) if (!locked.has(party)) busy.delete(party);
    begin();
  }

  function begin(): void {
    begins = false;
    for (const [party, turns] of locked) {
      if (running.wait >= waiting) break;
      locked.delete(party);
      const waits = refuseLate([...turns, ...take(party, atMost - turns.length)]);
      if (waits.length > 0) void run('wait', waits);
      else busy.delete(party);
    }
    while (running.ask < inFlight) {
      const turns: Turns = [];
      for (const party of lines.keys()) {
        if (turns.length >= atMost) break;
        if (busy.has(party)) continue;
        const asks = refuseLate(take(party, atMost - turns.length));
        if (asks.length === 0) continue;
        busy.add(party);
        turns.push(...asks);
      }
      if (turns.length === 0) return;
      void run('ask', turns);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      const party = partyOf(question);
      const line = lines.get(party);
      const turn = { question, since: performance.now(), resolve, reject };
      if (line) line.push(turn);
      else lines.set(party, [turn]);
      if (begins) return;
      begins = true;
      setImmediate(begin);
    });
}
