import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

test('200 names routes by their pattern and refusals by their code', async () => {
  await service.call('GET', '/api/v1/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0');
  for (const path of ['/docs/', '/sandbox/checkout/cs_one', '/storage/files/one', '/nothing'])
    await (await fetch(service.url + path)).arrayBuffer();
  const { status, body } = await service.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/jobs/{id}",status_code="401"} 1',
  );
  for (const [route, answer] of Object.entries({
    '/docs/': 200,
    '/sandbox/checkout/{id}': 404,
    '/storage/files/{name}': 403,
    'no route': 404,
  }))
    expect(body).toContain(`{method="GET",route="${route}",status_code="${answer}"} 1`);
  expect(body).toContain('atelier_refusals_total{code="unauthenticated"} 1');
  expect(body).toContain('atelier_database_connections{state="waiting"}');
  expect(body).not.toContain('job_01jd3vsh8xe7rtx1zqbdnzc4v0');
});
