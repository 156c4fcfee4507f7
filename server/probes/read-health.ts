import type { readHealth as endpoint } from '../../contract/probes.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';

export const readHealth = (): AnswerOf<typeof endpoint> => ({ status: 200, body: { status: 'ok' } });
