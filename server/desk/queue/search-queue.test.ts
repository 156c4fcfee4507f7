import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newJob, post, sharedStudio, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { addMember, signUp } from '../../../test/support/people.ts';
import { say, sayAtDesk } from '../../../test/support/talk.ts';
import { readId } from '../../lib/id.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { forgetWords } from '../../jobs/queue-words.ts';
import { indexJobs } from './index-jobs.ts';
import { matchesSearch, readWords } from './search-queue.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const index = () => indexJobs(studio.service.context.db, new AbortController().signal);
const found = async (q: string): Promise<string[]> => {
  const path = `/api/operator/v1/jobs?limit=100&q=${encodeURIComponent(q)}`;
  const { status, body } = await studio.service.call('GET', path, { as: studio.operator.token });
  expect(status).toBe(200);
  return body.jobs.map(({ id }: { id: string }) => id);
};
/** Before the task has stored words, and after it. */
async function expectFound(q: string, ids: string[]) {
  expect(await found(q)).toEqual(ids);
  await index();
  expect(await found(q)).toEqual(ids);
}

test('finds words of messages of both sides and of notes, in any order and with words of the title', async () => {
  const id = await newJob(studio.service, studio.key, { customer_title: 'Quillon poster' });
  await index();
  await say(studio, id, 'The serif is too heavyish.');
  await expectFound('heavyish quillon', [id]);
  await sayAtDesk(studio, id, 'Is vermilionish better?');
  await expectFound('vermilion poster', [id]);
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/notes`, { body: 'Ask Zebulonia.' });
  await expectFound('vermilion zebulon poster', [id]);
  await expectFound('vermilion zebulon flyer', []);
});

test('a withdrawn message is found no more at once, with stored words and while they are stored again', async () => {
  const id = await newJob(studio.service, studio.key, { customer_title: 'Withdrawable' });
  const { body } = await say(studio, id, 'My password is xylographic.');
  await expectFound('xylographic', [id]);
  // Older than jobs with words, so that only the queue of words leads to it.
  await sql`update jobs set created_at = now() - interval '1 day' where id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );
  await newJob(studio.service, studio.key);
  await index();
  await post(studio.service, studio.key, `/api/v1/jobs/${id}/messages/${body.message.id}/withdraw`);
  const stored = await sql`select from job_words where words @@ words_query('xylographic')`.execute(
    studio.service.context.db,
  );
  expect(stored.rows).toEqual([]);
  await expectFound('xylographic', []);
  expect(await found('withdrawable')).toEqual([id]);
});

test('a message that is withdrawn while the task reads it is found no more', async () => {
  const { db } = studio.service.context;
  const id = await newJob(studio.service, studio.key);
  const { body } = await say(studio, id, 'Unsaidly.');
  await index();
  await say(studio, id, 'Again.');
  const withdraw = () => post(studio.service, studio.key, `/api/v1/jobs/${id}/messages/${body.message.id}/withdraw`);
  const withdrawn = await db.transaction().execute(async (task) => {
    const job = uuidOf('job', id);
    await sql`delete from unindexed_jobs where job_id = ${job}`.execute(task);
    await sql`update job_words set words = words_of_job(account_id, job_id) where job_id = ${job}`.execute(task);
    const answer = withdraw();
    await untilBlocked(db);
    return { answer };
  });
  expect((await withdrawn.answer).status).toBe(200);
  expect(await found('unsaidly')).toEqual([]);
});

test('a message that is withdrawn before the task reads it, and committed after that, is found no more', async () => {
  const { db } = studio.service.context;
  const id = await newJob(studio.service, studio.key);
  await say(studio, id, 'Ungainlyish.');
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<JobKey>`
      update job_messages set text = null, withdrawn_at = now() where job_id = ${uuidOf('job', id)}
      returning account_id, job_id as id`.execute(trx);
    for (const job of rows) await forgetWords(trx, job);
    await index();
  });
  await expectFound('ungainlyish', []);
});

test('a job that is committed after a newer one has its words is found', async () => {
  const id = await newJob(studio.service, studio.key, { customer_title: 'Belatedness' });
  await newJob(studio.service, studio.key);
  await index();
  const { db } = studio.service.context;
  await sql`delete from job_words where job_id = ${uuidOf('job', id)}`.execute(db);
  await sql`update jobs set created_at = created_at - interval '30 seconds' where id = ${uuidOf('job', id)}`.execute(
    db,
  );
  await expectFound('belatedness', [id]);
});

describe('names', () => {
  test('finds a customer by words of its name in any order, beside words of the job, under its new name too', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const rename = (name: string) =>
      studio.service.call('PATCH', '/api/auth/account', { as: person.token, body: { name } });
    await rename('Harbourside & Clay 200');
    const id = await newJob(studio.service, key, { customer_title: 'Menuboard' });
    await expectFound('Harbourside 200', [id]);
    await expectFound('200 menuboard harbourside', [id]);
    await expectFound('Harbourside & Clay 200', [id]);
    await rename('Quayfront');
    expect(await found('harbourside')).toEqual([]);
    expect(await found('quayfront menu')).toEqual([id]);
  });

  test('finds who ordered and whose account it is, until their names are deleted', async () => {
    const { person } = await newCustomer(studio.service, 'studio');
    const name = 'Osgoodina Vance';
    await studio.service.call('PATCH', '/api/auth/profile', { as: person.token, body: { name } });
    const member = await addMember(studio.service, person, 'member', 'Tomasso Reyesberg');
    const [theirs, own] = [await newJob(studio.service, member.token), await newJob(studio.service, person.token)];
    await expectFound('Reyesberg Tomasso', [theirs]);
    await expectFound('vance osgoodina', [theirs, own]);
    await post(studio.service, member.token, '/api/auth/delete', { password: member.password });
    expect(await found('Reyesberg')).toEqual([]);
  });

  test('a name that another person has does not complete an address', async () => {
    const [ada, bob] = [await signUp(studio.service), await signUp(studio.service)];
    const { person, key } = await newCustomer(studio.service, 'agent');
    await newJob(studio.service, key);
    const [local] = person.email.split('@');
    expect(await found(`${local}@${ada.email}`)).toEqual([]);
    expect(await found(bob.email)).toEqual([]);
  });
});

describe('while the words of many jobs wait', () => {
  const stored = (job: string, words: string) =>
    sql`update job_words set words = words_of(${words}), complete = false where job_id = ${uuidOf('job', job)}`.execute(
      studio.service.context.db,
    );

  test('finds a job by its account with words that the version before has stored, and completes them', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    await studio.service.call('PATCH', '/api/auth/account', { as: person.token, body: { name: 'Zinfandel Cellar' } });
    const id = await newJob(studio.service, key, { customer_title: 'Wineglass' });
    await say({ ...studio, key }, id, 'With a corkscrewish line.');
    await index();
    await stored(id, 'Wineglass');
    expect(await found('cellar zinfandel')).toEqual([id]);
    expect(await found('zinfandel wineglasses')).toEqual([]);
    await expectFound('wineglass', [id]);
    expect(await found('corkscrew zinfandel')).toEqual([id]);
  });

  test('reads the texts of a job only if it has no stored words or changed within the last minute', async () => {
    const id = await newJob(studio.service, studio.key, { customer_title: 'Quibblesome' });
    await index();
    await stored(id, 'Storedly');
    await sql`insert into unindexed_jobs (account_id, job_id, queued_at)
      select account_id, id, now() - interval '2 minutes' from jobs where id = ${uuidOf('job', id)}`.execute(
      studio.service.context.db,
    );
    expect([await found('quibblesome'), await found('storedly')]).toEqual([[], [id]]);
    await say(studio, id, 'Now.');
    expect(await found('quibblesome')).toEqual([id]);
    await index();
    expect([await found('quibblesome'), await found('storedly')]).toEqual([[id], []]);
  });
});

test('a search of many words that are part of many names is answered, and its first ten words count', async () => {
  const { db } = studio.service.context;
  const signs = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  await sql`insert into accounts (name, slug) select ${signs.join('')} || n, uuidv7()::text from generate_series(1, 1500) n`.execute(
    db,
  );
  const id = await newJob(studio.service, studio.key, { customer_title: `Ten ${signs.slice(0, 9).join(' ')}` });
  await expectFound(`ten ${signs.join(' ')}`, [id]);
  expect(await found(`ten ${signs.slice(0, 8).join(' ')} zzz`)).toEqual([]);
});

test('stores the words of jobs of any age, with as many batches as there are, and leaves none', async () => {
  const { db } = studio.service.context;
  const id = await newJob(studio.service, studio.key, { customer_title: 'Palimpsestic' });
  await index();
  await sql`
    insert into jobs (account_id, id, status, service_family, service_type, customer_title, customer_instructions, source,
      plan_code, created_by_user, quality_review, auto_approval_hours, revisions_included, created_at)
    select account_id, uuidv7(), 'completed', service_family, service_type, 'Palimpsestic nr' || n, 'Imported', 'api',
      plan_code, ${studio.ada.userId}, false, 1, 0, '2019-03-01'
    from jobs, generate_series(1, 2050) n where id = ${readId('job', id)}`.execute(db);
  await sql`insert into unindexed_jobs select account_id, id from jobs where customer_title like 'Palimpsestic nr%'`.execute(
    db,
  );
  await index();
  expect((await sql`select from unindexed_jobs limit 1`.execute(db)).rows).toEqual([]);
  expect(await found('palimpsestic nr449')).toHaveLength(1);
  const listed = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/operator/v1/jobs?limit=100&q=palimpsestic${cursor && `&cursor=${cursor}`}`;
    const { body } = await studio.service.call('GET', path, { as: studio.operator.token });
    for (const job of body.jobs) listed.add(job.id);
    cursor = body.next_cursor;
  }
  expect(listed.size).toBe(2051);
  // Pages after the first are often filled without it.
  const matching = await matchesSearch(db, await readWords(db, 'palimpsestic'));
  const { rows } = await sql`select from jobs j where ${matching}`.execute(db);
  expect(rows, 'more matches than are looked up by id').toHaveLength(2051);
});
