import { openapi } from '../../contract/openapi.ts';
import type { Chapter } from './guide.ts';

/** The OpenAPI document with the guide as its introduction, made once: it does not change while the process runs. */
export function createReadOpenapi(serverUrl: string, guide: Chapter[]) {
  const body = openapi(serverUrl, guide.map(({ text }) => text).join('\n\n'));
  return () => ({ status: 200 as const, body, headers: { 'cache-control': 'public, max-age=60' } });
}
