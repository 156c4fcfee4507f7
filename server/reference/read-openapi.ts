import { openapi } from '../../contract/openapi.ts';

export function readOpenapi(serverUrl: string) {
  return {
    status: 200 as const,
    body: openapi(serverUrl),
    headers: { 'cache-control': 'public, max-age=60' },
  };
}
