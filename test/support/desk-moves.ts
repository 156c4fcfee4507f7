import { expect } from 'vitest';
import { jobStatuses, type MoveName, moves } from '../../contract/moves.ts';
import { bodies, newJobIn, pathOf, post, readJob, type Studio } from './jobs.ts';

/** Rules that all desk moves share. The test of each move calls those that apply. */
export function deskMove(studio: () => Studio, move: MoveName) {
  const from: readonly string[] = moves[move].from;
  const body = bodies[move];
  const ask = (id: string, content: unknown = body, idempotencyKey?: string) =>
    post(studio().service, studio().operator.token, pathOf(move, id), content, idempotencyKey);
  const seen = (id: string) => readJob(studio().service, studio().key, id);
  const newJob = () => newJobIn(studio(), moves[move].from[0]);

  return {
    ask,
    seen,

    /** Allowed from each status of the table; answers the job as the desk reads it. */
    async works() {
      for (const status of moves[move].from) {
        const id = await newJobIn(studio(), status);
        const answer = await ask(id);
        expect(answer.status, status).toBe(200);
        expect(answer.body).toMatchObject({ job: { id, status: moves[move].to } });
        const desk = await studio().service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio().operator.token });
        expect(answer.body.job).toEqual(desk.body.job);
      }
    },

    /** Refused from every other status, which the error names; nothing changes. */
    async isRefusedElsewhere() {
      for (const status of jobStatuses.filter((status) => !from.includes(status))) {
        const id = await newJobIn(studio(), status);
        const before = await seen(id);
        const answer = await ask(id);
        expect([answer.status, answer.body.error?.code], status).toEqual([409, 'invalid_transition']);
        expect(answer.body.error.message).toContain(status);
        expect(await seen(id)).toEqual(before);
      }
    },

    async happensOncePerKey() {
      const id = await newJob();
      const first = await ask(id, body, 'once');
      const after = await seen(id);
      const second = await ask(id, body, 'once');
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(second.body).toEqual(first.body);
      expect(await seen(id)).toEqual(after);
    },

    async refusesAnotherBodyWithTheKey(other: object) {
      const id = await newJob();
      await ask(id, body, 'conflict');
      const answer = await ask(id, other, 'conflict');
      expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
    },

    /** Refuses an unknown field, a bad Idempotency-Key and these bodies. */
    async refusesBodies(...bad: unknown[]) {
      const id = await newJob();
      const before = await seen(id);
      const answers = [await ask(id, { ...body, actor: 'x' }), await ask(id, body, 'two words')];
      for (const content of bad) answers.push(await ask(id, content));
      for (const answer of answers) expect([answer.status, answer.body.error?.code]).toEqual([422, 'invalid_request']);
      expect(await seen(id)).toEqual(before);
    },

    /** Of three simultaneous requests one wins; the others see its result. */
    async isWonByOne() {
      const id = await newJob();
      const answers = await Promise.all([1, 2, 3].map(() => ask(id)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    },
  };
}
