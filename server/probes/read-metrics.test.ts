import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type Service } from '../../test/harness.ts';

let service: Service;
beforeAll(async () => void (service = await openService()));
afterAll(() => service.close());

test('200 names routes by their pattern and refusals by their code', async () => {
  await service.call('GET', '/api/v1/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0');
  const { status, body } = await service.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/jobs/{id}",status_code="401"} 1',
  );
  expect(body).toContain('atelier_refusals_total{code="unauthenticated"} 1');
  expect(body).toContain('atelier_database_connections{state="waiting"}');
  expect(body).not.toContain('job_01jd3vsh8xe7rtx1zqbdnzc4v0');
});
