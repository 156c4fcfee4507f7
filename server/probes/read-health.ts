import type { readHealth as line } from '../../contract/probes.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';

/** Alive: this very answer. */
export const readHealth = (): AnswerOf<typeof line> => ({ status: 200, body: { status: 'ok' } });
