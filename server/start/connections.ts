import { queueConnections } from '../db/queue.ts';
import { watchConnections } from '../db/watch-database.ts';
import type { Config } from './config.ts';

/** The pool, the queue, one that listens for events, and one that looks at the database. */
export function connectionsOf({ databasePool, databaseDirectUrl }: Config): { direct: number; words: string } {
  const apart = queueConnections + 1 + watchConnections;
  if (databaseDirectUrl === null)
    return { direct: databasePool + apart, words: `${databasePool + apart} connections to Postgres` };
  return { direct: apart, words: `${databasePool} connections to the pooler and ${apart} to Postgres` };
}
