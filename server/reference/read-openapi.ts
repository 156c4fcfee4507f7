import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readOpenapi as endpoint } from '../../contract/openapi.ts';

/** `openapi` is built once, because it does not change while the process runs. */
export const readOpenapi = ({ openapi }: { openapi: object }): AnswerOf<typeof endpoint> => ({
  status: 200,
  body: openapi,
  headers: { 'cache-control': 'public, max-age=60' },
});
