import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/openapi.ts';
import { copiedFiles } from '../scripts/generated-sources.ts';
import { version } from '../server/lib/version.ts';

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
  improve(path);
  const list = (words: string, name: string, lines: Endpoint[]) =>
    `/** ${words} */\nexport const ${name}: string[] = [\n${lines.map((line) => `  '${line.method} ${line.path}',\n`).join('')}];\n`;
  const idempotent = endpoints.filter((line) => line.idempotent !== undefined && line.idempotent !== 'refused');
  const csrf = endpoints.filter((line) => line.csrf);
  const long = endpoints.filter((line) => line.long);
  writeFileSync(
    `${path}/routes.ts`,
    `${list('Routes that take an Idempotency-Key.', 'idempotent', idempotent)}
${list('Routes that want x-service-csrf-token of a cookie session.', 'csrf', csrf)}
${list('Routes that may wait for something to happen.', 'long', long)}
export const version = '${version}';
`,
  );
  for (const file of copiedFiles) writeFileSync(`${path}/${basename(file)}`, readFileSync(`contract/${file}`));
  const reads = endpoints.filter(({ method }) => method === 'GET');
  writeFileSync(
    `${path}/read-paths.ts`,
    `/** The path of each operation that only reads. */
export const readPaths = {
${reads.map((line) => `  ${line.operationId}: '${line.path}',\n`).join('')}} as const;
`,
  );
}

/** What the generator has no setting for: options of a call, answers with their response, null, and size. */
function improve(path: string): void {
  const replace = (file: string, from: string, to: string) => {
    const text = readFileSync(`${path}/${file}`, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has changed: it has no ${from}`);
    writeFileSync(`${path}/${file}`, text.replaceAll(from, to));
  };
  const cut = (file: string, from: string, to: string) => {
    const text = readFileSync(`${path}/${file}`, 'utf8');
    const [start, end] = [text.indexOf(from), text.indexOf(to)];
    if (start < 0 || end < start) throw new Error(`${file} has changed: it has no ${from}`);
    writeFileSync(`${path}/${file}`, text.slice(0, start) + text.slice(end));
  };
  const data = 'TData extends Record<string, unknown> ? TData[keyof TData] : TData';
  const options = [
    'import type { Auth }',
    "import type { Answer, CallOptions } from '../../call.ts';\nimport type { Auth }",
  ] as const;
  const types = 'client/types.gen.ts';
  replace(types, ...options);
  replace(
    types,
    'Pick<\n      ServerSentEventsOptions<TData>,',
    'CallOptions,\n    Pick<\n      ServerSentEventsOptions<TData>,',
  );
  replace(
    types,
    `? Promise<
      TResponseStyle extends 'data'
        ? TData extends Record<string, unknown>
          ? TData[keyof TData]
          : TData
        : {`,
    `? TResponseStyle extends 'data'
      ? Answer<${data}>
      : Promise<{`,
  );
  replace(
    types,
    '            response: Response;\n          }\n    >\n  : Promise<',
    '            response: Response;\n          }>\n  : Promise<',
  );
  const end = ';\n\ntype BuildUrlFn';
  replace(
    types,
    `RequestResult<TData, TError, ThrowOnError, TResponseStyle>${end}`,
    `Promise<Awaited<RequestResult<TData, TError, ThrowOnError, TResponseStyle>>>${end}`,
  );
  // A second reader of streams: the client brings its own.
  cut('client/client.gen.ts', 'import { createSseClient }', 'import type { HttpMethod }');
  cut('client/client.gen.ts', '  const makeSseFn =', '  const _buildUrl');
  cut('client/client.gen.ts', '    sse: {', '    trace: makeMethodFn');
  replace('types.gen.ts', '    204: void;', '    204: null;');
}
