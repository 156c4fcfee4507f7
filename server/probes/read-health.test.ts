import { beforeAll, expect, test } from 'vitest';
import { version } from '../lib/version.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200 ok: without credentials', async () => {
  const { status, body } = await service.call('GET', '/healthz');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok', version, schema: service.context.migrations.at(-1) });
  const { body: metrics } = await service.call('GET', '/metrics');
  expect(metrics).toContain(`atelier_build_info{version="${version}",schema="${body.schema}"} 1`);
});

test('200 ok: while the database does not answer', async () => {
  const alone = await createService();
  await alone.context.db.destroy();
  expect((await alone.call('GET', '/healthz')).status).toBe(200);
  await alone.close();
});
