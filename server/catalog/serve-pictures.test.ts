import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: each option has a sample that never changes, and runs nothing', async () => {
  const { service_families } = (await service.call('GET', '/api/v1/catalog')).body;
  const pictures = service_families.flatMap(({ service_options }: { service_options: { picture: string }[] }) =>
    service_options.map(({ picture }) => picture),
  );
  expect(new Set(pictures).size).toBe(20);
  const answer = await fetch(service.url + pictures[0]);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect(await answer.text()).toMatch(/^<svg/);
});

test.each(['/catalog/pictures/none.svg', '/catalog/pictures/%2e%2e%2ffamilies.yaml', '/catalog/pictures/'])(
  '404 not_found: %s',
  async (path) => {
    const { status, body } = await service.call('GET', path);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  },
);
