import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProvider } from './billing/create-provider.ts';
import { createSigner } from './lib/signer.ts';
import { loadCatalog } from './catalog/load-catalog.ts';
import { readConfig } from './config.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'atelier-config-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env });
const problemOf = (env: Record<string, string>): string => {
  try {
    read(env);
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://localhost/atelier',
  SECRET_KEY: 's'.repeat(32),
  PUBLIC_URL: 'https://atelier.example.com',
  SMTP_URL: 'smtp://localhost',
  STRIPE_WEBHOOK_SECRET: 'whsec_production',
  STRIPE_SECRET_KEY: 'sk_live_production',
};

describe('the payment provider', () => {
  const catalog = loadCatalog(new URL('../catalog', import.meta.url).pathname);
  const providerOf = (env: Record<string, string>) => {
    const { name, livemode } = createProvider(read(env), catalog, 'http://localhost:3000', createSigner(['s']));
    return { name, livemode };
  };

  test('the sandbox without a key', () => {
    expect(providerOf({})).toEqual({ name: 'sandbox', livemode: false });
  });

  test.each([
    ['sk_test_1', 'stripe_test', false],
    ['rk_test_1', 'stripe_test', false],
    ['sk_live_1', 'stripe_live', true],
    ['rk_live_1', 'stripe_live', true],
  ])('Stripe with the key %s: %s', (key, name, livemode) => {
    expect(providerOf({ STRIPE_SECRET_KEY: key })).toEqual({ name, livemode });
  });

  test('production takes no sandbox, and no secrets of our own making', () => {
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
      expect(problemOf({ ...production, [name]: '' })).toContain(`- ${name} is needed in production`);
    expect(problemOf(production)).toBe('none');
  });

  test.each([
    [{ STRIPE_API_URL: 'http://localhost:4009' }, 'STRIPE_API_URL goes with STRIPE_SECRET_KEY.'],
    [{ STRIPE_SECRET_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    [{ STRIPE_SECRET_KEY: 'foo' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    [{ STRIPE_API_URL: 'localhost:4009', STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_API_URL must be a URL'],
    [{ STRIPE_API_URL: 'http://localhost/base', STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_API_URL must be a URL'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_one_1,whsec_two_2,whsec_three' }, 'takes one secret, or two'],
  ])('%j: %s', (env, problem) => {
    expect(problemOf(env)).toContain(problem);
    expect(problemOf(env)).not.toContain('sk_test_1');
  });
});
