import { sql } from 'kysely';
import { readId } from '../../../server/lib/id.ts';
import { Refusal } from '../../../server/http/refusal.ts';
import { serveBroken } from './serve.ts';

/** Judges by the clock of the process whether a lease is over. Ends with its standard input, as the tests expect. */
await serveBroken({
  app: (app, { db }) =>
    app.addHook('preHandler', async ({ url, params }) => {
      if (!url.endsWith('/heartbeat')) return;
      const id = readId('job', (params as { id: string }).id);
      const { rows } = await sql<{ at: Date | null }>`
        select lease_expires_at as at from jobs where id = ${id}`.execute(db);
      if ((rows[0]?.at?.getTime() ?? 0) < Date.now()) throw new Refusal('lease_lost');
    }),
});
process.stdin.resume().on('end', () => process.exit());
