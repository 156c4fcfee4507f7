/**
 * Milliseconds that everything may take which leaves the process. A caller is answered within five seconds, so whatever a
 * request waits for ends before that. `docs/operations.md` says what a caller gets then.
 */
export const deadlines = {
  /**
   * `answer`: from the first line of a request to its answer, its body included, where a route has no time of its own.
   * `effect`: longer for work that may already be committed, so that its caller learns what came of it.
   */
  request: { answer: 5_000, effect: 5_000 },
  /** A statement that is merely slow is ended by Postgres itself, sooner, and the connection goes on. */
  database: { connect: 1_500, statement: 2_500, answer: 3_000 },
  /** `silence`: how long it is asked nothing after it did not answer. `idle`: when a connection without answers is replaced. */
  redis: { connect: 1_000, answer: 250, silence: 2_000, ping: 2_000, idle: 5_000 },
  /** Until a mail server has connected, has greeted, and after its last word; `send`: one mail, whatever happens. */
  mail: { connect: 5_000, greet: 5_000, silence: 15_000, send: 30_000 },
  storage: { connect: 1_000, answer: 4_000 },
  /** `answer`: one request; `checkout`: all that one caller's request asks; `price`: one price at the start. */
  provider: { answer: 2_000, checkout: 4_000, price: 2_000 },
  model: { answer: 3_000 },
  webhook: { connect: 5_000, answer: 15_000 },
  sandbox: { answer: 10_000 },
} as const;
