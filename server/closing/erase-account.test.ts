import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newCustomer, newJob, post, sharedStudio, uuidOf } from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { indexJobs } from '../desk/queue/index-jobs.ts';
import { eraseAccount } from './erase-account.ts';

test('a note that is written while an account is erased does not bring back words of the job', async () => {
  const { service, operator } = await sharedStudio();
  const { db } = service.context;
  const index = () => indexJobs(db, new AbortController().signal);
  const { person, key } = await newCustomer(service, 'studio');
  const id = await newJob(service, key, { customer_title: 'Confidentialish' });
  const noting = await db.transaction().execute(async (trx) => {
    await eraseAccount(trx, person.accountId);
    const noted = post(service, operator.token, `/api/operator/v1/jobs/${id}/notes`, { body: 'Late.' });
    await Promise.race([noted, untilBlocked(db)]);
    await index();
    return { noted };
  });
  expect((await noting.noted).status).toBe(201);
  await index();
  const { rows } = await sql`
    select words @@ words_query('confidentialish') as old, words @@ words_query('late') as noted
    from job_words where job_id = ${uuidOf('job', id)}`.execute(db);
  expect(rows).toEqual([{ old: false, noted: true }]);
});
