import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { requestByHand } from '../../test/support/request-by-hand.ts';

/** The status, and where the browser goes on. */
async function open(service: Service, path: string, headers: Record<string, string>, method = 'GET'): Promise<string> {
  const { status, location } = await requestByHand(service, path, { accept: 'text/html', ...headers }, method);
  return [status, location].filter(Boolean).join(' ');
}

describe('the address is a name of this machine', () => {
  let service: Service;
  beforeAll(async () => void (service = await createService({ PUBLIC_URL: 'http://localhost:3000' })));
  afterAll(() => service.close());

  test.each(['127.0.0.1:3000', '127.1.2.3:3000', '[::1]:3000', '0.0.0.0:3000', '[::]:3000', 'studio.localhost:3000'])(
    'a page that is opened at %s goes on at the one name',
    async (host) => {
      const to = '307 http://localhost:3000/docs/?a=%2F&b';
      expect(await open(service, '/docs/?a=%2F&b', { host })).toBe(to);
      expect(await open(service, '/docs/?a=%2F&b', { host }, 'HEAD')).toBe(to);
    },
  );

  test('the page goes on nowhere else, whatever its path says', async () => {
    expect(await open(service, '//other.example/a', { host: '127.0.0.1:3000' })).toBe('404');
    expect(await open(service, '/jobs/@other.example', { host: '127.0.0.1:3000' })).toBe(
      '307 http://localhost:3000/jobs/@other.example',
    );
  });

  test.each(['localhost:3000', '127.0.0.1:3001', '127.0.0.1', 'other.example:3000', '192.168.1.2:3000', 'a b'])(
    'a page that is opened at %s stays there: it is the one name, a proxy or another machine',
    async (host) => expect(await open(service, '/docs/', { host })).toBe('200'),
  );

  test('a request that a proxy passed on is answered', async () => {
    const headers = { host: '127.0.0.1:3000', 'x-forwarded-for': '192.168.1.2' };
    expect(await open(service, '/docs/', headers)).toBe('200');
  });

  test('programs are answered under any name', async () => {
    const host = '127.0.0.1:3000';
    expect(await open(service, '/api/v1/catalog', { host })).toBe('200');
    expect(await open(service, '/docs/index.md', { host, accept: '*/*' })).not.toMatch(/^30/);
    expect(await open(service, '/api/auth/sign-out', { host }, 'POST')).not.toMatch(/^30/);
  });
});

test('the one name may be an address', async () => {
  const service = await createService({ PUBLIC_URL: 'http://127.0.0.1:3000' });
  expect(await open(service, '/docs/', { host: 'localhost:3000' })).toBe('307 http://127.0.0.1:3000/docs/');
  await service.close();
});

test('in production a page stays where it is opened', async () => {
  const service = await createService({
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:3000',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnopqrstuv',
    STRIPE_SECRET_KEY: 'sk_test_unused',
    STRIPE_API_URL: 'http://127.0.0.1:1',
    SMTP_URL: 'smtp://localhost',
    LOG_LEVEL: 'fatal',
  });
  expect(await open(service, '/docs/', { host: '127.0.0.1:3000' })).toBe('200');
  await service.close();
});

test('where the address is no name of this machine, a page stays where it is opened', async () => {
  const service = await createService({ PUBLIC_URL: 'https://atelier.example.com' });
  expect(await open(service, '/docs/', { host: 'localhost:3000' })).toBe('200');
  await service.close();
});
