import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Person, Service } from './service.ts';
import { newJob } from './studio.ts';

/** The operator that the service was started with. */
export const operatorOf = ({ operator, operatorToken }: Service): Person => ({
  ...operator,
  name: 'Operator',
  token: operatorToken,
});

let made = 0;

/** Another operator, made as the studio makes one: by the command line, beside the running service. */
export async function newOperator(service: Service): Promise<Person> {
  const email = `colleague-${++made}@example.com`;
  const password = 'a colleague of the tests';
  await promisify(execFile)(process.execPath, ['cli/admin.ts', 'operator', 'create', '--email', email], {
    env: { ...process.env, DATA_DIR: service.dataDir, OPERATOR_PASSWORD: password },
  });
  const { token } = await service.call('POST', '/api/auth/sign-in/email', null, { email, password });
  return { name: 'Operator', email, password, token };
}

/** The plaintext of a new worker key. */
export async function newWorker({ call, operatorToken }: Service, name: string): Promise<string> {
  return (await call('POST', '/api/operator/v1/worker-keys', operatorToken, { name })).plaintext_key;
}

/** A queue of a day: jobs of this customer under these titles, the first one oldest. */
export async function newQueue(service: Service, customer: Person, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const customer_title of titles) ids.push(await newJob(service, customer, { customer_title }));
  return ids;
}
