/**
 * Time limits, in milliseconds, for everything that leaves the process. A caller is answered within five
 * seconds, so whatever a request waits for must end sooner. `docs/operations/run.md` says what callers get.
 */
export const deadlines = {
  /** `effect`: extra time for work that may be committed, so that the caller learns the outcome. */
  request: { answer: 5_000, effect: 5_000 },
  /** Postgres itself ends slow statements earlier, which keeps the connection usable. */
  database: { connect: 1_500, statement: 2_500, answer: 3_000 },
  /** `silence`: how long Redis is left alone after a failure. `idle`: then it is reconnected. */
  redis: { connect: 1_000, answer: 250, silence: 2_000, ping: 2_000, idle: 5_000 },
  /** To connect, to greet, and between two answers of the mail server; `send`: one mail in all. */
  mail: { connect: 5_000, greet: 5_000, silence: 15_000, send: 30_000 },
  /** `move`: the bucket copies an object itself, and no caller waits for it. */
  storage: { connect: 1_000, answer: 4_000, move: 300_000 },
  /** `answer`: one request. `checkout`: all requests for one caller. `price`: one price at startup. */
  provider: { answer: 2_000, checkout: 4_000, price: 2_000 },
  /** One poster: its processor time, which a busy machine gives late; by the task; while a caller waits. */
  drawing: { processor: 15_000, task: 60_000, answer: 4_000 },
  /** Of a film: a frame of it, what it has, and its copy for viewing. */
  film: { poster: 30_000, read: 30_000, copy: 480_000 },
  /** The documents that an owner checks or publishes, in a thread. */
  catalog: { read: 3_000 },
  model: { answer: 3_000 },
  webhook: { connect: 5_000, answer: 15_000 },
  sandbox: { answer: 10_000 },
  /**
   * `silence`: how long no scheduled task may run, although the database answers, until their queue is opened
   * anew. `stuck`: a task that has run for so long no longer keeps its process from beginning it again.
   */
  tasks: { silence: 120_000, stuck: 600_000 },
  /** How long a start waits before it says so, and before it ends without progress. */
  start: { say: 10_000, end: 60_000 },
  /** `check`: one check of `admin doctor`. `reach`: one request to an address of the installation itself. */
  doctor: { check: 20_000, reach: 5_000 },
} as const;

/** Those of Postgres and Redis. */
export type StoreDeadlines = { [Store in 'database' | 'redis']: Record<keyof (typeof deadlines)[Store], number> };
