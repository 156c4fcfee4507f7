import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEncryption } from '../../server/lib/encryption.ts';
import { secretPurpose } from '../../server/webhooks/webhook-secret.ts';
import { createAccounts } from '../create-accounts.ts';
import { type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { type Service, withService } from '../start-service.ts';

const secretKey = randomBytes(32).toString('hex');
const [accounts, each] = [100, 200];

/** B17: signed deliveries per second of one process to a healthy receiver: 20,000 events of 100 accounts. */
export const deliveries = (): Promise<Row[]> =>
  withService(
    async (service) => {
      let [count, first, last] = [0, 0, 0];
      const server = createServer((request, response) => {
        request.resume().on('end', () => {
          first ||= performance.now();
          last = performance.now();
          count++;
          response.writeHead(204).end();
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await createAccounts(service, accounts);
      await insertJobs(service, 0, accounts - 1, each);
      await addEndpoints(service, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      for (let seen = -1; seen < count || count === 0; await sleep(3_000)) seen = count;
      server.closeAllConnections();
      server.close();
      if (count < accounts * each) throw new Error(`Of ${accounts * each} events ${count} were delivered.`);
      const meaning = { figure: 'B17', title: 'deliveries to a healthy receiver', of: 'at least', goal: 1, unit: '/s' };
      return [toRow(meaning, [{ ours: (count * 1_000) / (last - first), limit: 1_500 }])];
    },
    { SECRET_KEY: secretKey, WEBHOOK_ALLOW: '127.0.0.1' },
  );

/** An endpoint per account that gets all events so far. */
async function addEndpoints({ database }: Service, url: string): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await database.query(
    `with endpoint as (
       insert into webhook_endpoints (account_id, id, url, cursor, created_by)
       select account_id, uuidv7(), $1, 0, user_id from bench_accounts returning account_id, id
     )
     insert into webhook_secrets (account_id, endpoint_id, ciphertext) select account_id, id, $2 from endpoint`,
    [url, createEncryption([secretKey]).encrypt(secretPurpose, secret)],
  );
}
