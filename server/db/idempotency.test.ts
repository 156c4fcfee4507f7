import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { newId } from '../lib/id.ts';
import { forgetIdempotencyKeys } from './idempotency.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('keys are deleted after 30 days, however many there are, and not earlier', async () => {
  const { db } = service.context;
  await sql`
    insert into idempotency_keys (account_id, route, key, fingerprint, status, answer, created_at)
    select ${newId()}, 'POST /x', n::text, 'f', 200, '{}', now() - interval '30 days' + make_interval(mins => n - 2500)
    from generate_series(1, 2600) n`.execute(db);
  const stop = new AbortController().signal;
  await Promise.all([forgetIdempotencyKeys(db, stop), forgetIdempotencyKeys(db, stop)]);
  await forgetIdempotencyKeys(db, stop);
  const left = await db.selectFrom('idempotency_keys').where('route', '=', 'POST /x').select('key').execute();
  expect(left.map(({ key }) => Number(key)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 2501),
  );
});
