import { deadlines } from '../../server/lib/deadlines.ts';

/** Time limits of a service under test, in milliseconds: on a slow machine an answer is late, not wrong. */
export const patience = {
  answer: 30_000,
  database: { connect: 25_000, statement: 25_000, answer: 25_000 },
  redis: { ...deadlines.redis, connect: 20_000, answer: 20_000, idle: 60_000 },
};
