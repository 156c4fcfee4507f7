import { draft } from '../../support/jobs.ts';
import { makeWorker } from '../../support/workers.ts';
import { type Search, searches, searchWorld } from '../evidence.ts';
import { type Figure, type Measured, some } from '../figure.ts';
import { broken, newCustomer, newStudio, service, withWorld, type World } from '../world.ts';

/** Requests with each credential: good ones, wrong ones, and where a credential does not belong. */
async function useSecrets(world: World): Promise<string> {
  const studio = await newStudio(world);
  const { key, person } = await newCustomer(world);
  const workerKey = await makeWorker(studio);
  world.minted.set('worker key', workerKey);
  let refusals = '';
  for (const { url } of [world.first, world.second])
    for (const credential of [key, person.token, studio.operator.token, workerKey])
      for (const [method, path, body] of [
        ['GET', '/api/v1/me', null],
        ['GET', `/api/v1/jobs?api_key=${credential}`, null],
        ['GET', `/api/v1/jobs/${credential}`, null],
        ['POST', '/api/v1/jobs', JSON.stringify(draft)],
        ['POST', '/api/v1/jobs', `{"key": "${credential}"`],
        ['POST', '/api/operator/v1/jobs/claim', '{}'],
        ['GET', `/api/v1/${credential}`, null],
      ] as const)
        for (const sent of [credential, `${credential}x`]) {
          const headers = { authorization: `Bearer ${sent}`, 'content-type': 'application/json' };
          const response = await fetch(url + path, { method, headers, ...(body === null ? {} : { body }) });
          const text = await response.text();
          if (response.status >= 400) refusals += `${[...response.headers].join('\n')}\n${text}\n`;
        }
  return refusals;
}

const total = (all: readonly Search[], count: (search: Search) => number) =>
  all.reduce((sum, search) => sum + count(search), 0);

/** `all`: with what the figures before it wrote. */
async function measure(all: boolean, terms: Parameters<typeof withWorld>[0]): Promise<Measured> {
  const before = [...searches];
  const own = await withWorld({ ...terms, env: { LOG_LEVEL: 'trace' } }, async (world) => {
    const refusals = await useSecrets(world);
    const search = await searchWorld(world);
    const told = [...world.minted].filter(([, secret]) => refusals.includes(secret)).map(([what]) => what);
    return { ...search, leaks: [...search.leaks, ...told.map((what) => `${what} in a refusal`)] };
  });
  const looked = [...(all ? before : []), own];
  const leaks = looked.flatMap((search) => search.leaks);
  const megabytes = Math.round(total(looked, ({ characters }) => characters) / 1e6);
  const secrets = total(looked, (search) => search.secrets);
  return {
    measured: `${leaks.length} of ${secrets} secrets found in ${megabytes} MB of logs, tables and refusals of ${looked.length} runs`,
    faults: some('secrets found', leaks),
  };
}

export const secrets: Figure = {
  name: 'F13',
  title: 'secrets in everything that this run wrote: logs, tables, refusals',
  target: '0 found, in any spelling',
  inShort: false,
  cases: ['test/faults/secrets.test.ts', 'test/faults/secret-key.test.ts'],
  run: () => measure(true, {}),
  control: () => measure(false, { programs: [broken('logged-header'), service] }),
};
