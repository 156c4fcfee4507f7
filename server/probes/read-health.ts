import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readHealth as endpoint } from '../../contract/studio/probes.ts';
import { version } from '../lib/version.ts';

export const readHealth = ({ migrations }: { migrations: readonly string[] }): AnswerOf<typeof endpoint> => ({
  status: 200,
  body: { status: 'ok', version, schema: migrations.at(-1) ?? '' },
});
