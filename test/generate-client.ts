import { writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import { endpoints } from '../contract/openapi.ts';

/** The typed operations of the client, from the committed document. */
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
  const paths = endpoints.filter((line) => line.idempotent).map(({ path }) => `  '${path}',`);
  const words = '/** The paths whose POST honours an Idempotency-Key. */\nexport const idempotent: string[] = [\n';
  writeFileSync(`${path}/idempotent.ts`, `${words}${paths.join('\n')}\n];\n`);
}
