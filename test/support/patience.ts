import { deadlines } from '../../server/lib/deadlines.ts';

/** Time limits of a service under test, in milliseconds: on a slow machine an answer is late, not wrong. */
export const patience = {
  answer: 30_000,
  database: { connect: 25_000, statement: 25_000, answer: 25_000 },
  redis: { ...deadlines.redis, connect: 20_000, answer: 20_000, idle: 60_000 },
};

const own = structuredClone(deadlines);
const patient = {
  storage: { connect: 20_000, answer: 25_000 },
  provider: { answer: 20_000, checkout: 25_000, price: 20_000 },
  drawing: { answer: 25_000 },
  catalog: { read: 20_000 },
  model: { answer: 20_000 },
};

type Limits = { [Peer in keyof typeof deadlines]?: object };

function set(limits: Limits): void {
  for (const [peer, values] of Object.entries(limits)) Object.assign(deadlines[peer as keyof Limits], values);
}

/** What else the service waits for, in the process of the caller. */
export const waitLonger = (): void => set(patient);
export const waitAsInProduction = (): void => set(own);

/** All of it, in a process of its own. */
export const waitLongerForAll = (): void => {
  waitLonger();
  set({ request: { answer: patience.answer }, database: patience.database, redis: patience.redis });
  set({ start: { end: 300_000 } });
};
