import { writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/openapi.ts';

/** Generates the typed operations from the committed document. */
export async function generateClient(path: string): Promise<void> {
  await createClient({
    input: './client/openapi.json',
    output: { path, module: { extension: '.ts' } },
    logs: { level: 'silent' },
    plugins: [
      '@hey-api/typescript',
      { name: '@hey-api/sdk', operations: { strategy: 'single', containerName: 'Operations' }, responseStyle: 'data' },
      { name: '@hey-api/client-fetch', throwOnError: true },
    ],
  });
  const list = (words: string, name: string, lines: Endpoint[]) =>
    `/** ${words} */\nexport const ${name}: string[] = [\n${lines.map((line) => `  '${line.method} ${line.path}',\n`).join('')}];\n`;
  const idempotent = endpoints.filter((line) => line.idempotent !== undefined && line.idempotent !== 'refused');
  const csrf = endpoints.filter((line) => line.csrf);
  writeFileSync(
    `${path}/routes.ts`,
    `${list('Routes that take an Idempotency-Key.', 'idempotent', idempotent)}
${list('Routes that want x-service-csrf-token of a cookie session.', 'csrf', csrf)}`,
  );
  const reads = endpoints.filter(({ method }) => method === 'GET');
  writeFileSync(
    `${path}/read-paths.ts`,
    `/** The path of each operation that only reads. */
export const readPaths = {
${reads.map((line) => `  ${line.operationId}: '${line.path}',\n`).join('')}} as const;
`,
  );
}
