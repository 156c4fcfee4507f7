import { expect, test } from 'vitest';
import { jobStatuses, type MoveName, moves } from '../contract/moves.ts';
import { newJobIn, pathOf, post, readJob, type Studio, unknownJob } from './jobs.ts';

/** What holds for every move of the desk; `body` is one that it takes, none where it takes none. */
export function testDeskMove(studio: () => Studio, move: MoveName, body?: object): void {
  const ask = (id: string, given: unknown = body, idempotencyKey?: string) =>
    post(studio().service, studio().operator.token, pathOf(move, id), given, idempotencyKey);
  const from: readonly string[] = moves[move].from;

  test.each(jobStatuses)(`200 or 409 invalid_transition: ${move} of a job that is %s`, async (status) => {
    const id = await newJobIn(studio(), status);
    const before = await readJob(studio().service, studio().key, id);
    const answer = await ask(id);
    if (from.includes(status)) {
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ job: { id, status: moves[move].to } });
      const desk = await studio().service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio().operator.token });
      expect(answer.body.job).toEqual(desk.body.job);
      return;
    }
    expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_transition']);
    expect(answer.body.error.message).toContain(status);
    expect(await readJob(studio().service, studio().key, id)).toEqual(before);
  });

  test(`200 ${move} is replayed with the same Idempotency-Key: one move`, async () => {
    const id = await newJobIn(studio(), moves[move].from[0]);
    const first = await ask(id, body, `${move}-once`);
    const events = (await readJob(studio().service, studio().key, id)).events.length;
    const second = await ask(id, body, `${move}-once`);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(second.body).toEqual(first.body);
    expect((await readJob(studio().service, studio().key, id)).events).toHaveLength(events);
  });

  test(`200 ${move} for one of three at the same moment, 409 for the others`, async () => {
    const id = await newJobIn(studio(), moves[move].from[0]);
    const answers = await Promise.all([1, 2, 3].map(() => ask(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test(`422 idempotency_key_conflict: ${move} with a key that was kept with another request`, async () => {
    const id = await newJobIn(studio(), moves[move].from[0]);
    await ask(id, body, `${move}-conflict`);
    await studio()
      .service.house.db.updateTable('idempotency_keys')
      .set({ fingerprint: 'another' })
      .where('key', '=', `${move}-conflict`)
      .execute();
    const answer = await ask(id, body, `${move}-conflict`);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
  });

  test(`422 invalid_request: ${move} with an unknown field, and with a bad Idempotency-Key`, async () => {
    const id = await newJobIn(studio(), moves[move].from[0]);
    for (const answer of [await ask(id, { ...body, actor: 'x' }), await ask(id, body, 'two words')])
      expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
    expect((await readJob(studio().service, studio().key, id)).job.status).toBe(moves[move].from[0]);
  });

  test(`404 job_not_found: ${move} of an id that names nothing`, async () => {
    for (const id of [unknownJob, 'nonsense']) {
      const answer = await ask(id);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'job_not_found']);
    }
  });
}
