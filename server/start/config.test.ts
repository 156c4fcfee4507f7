import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProvider } from '../billing/create-provider.ts';
import { createSigner } from '../lib/signer.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
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
  SECRET_KEY: '0123456789abcdefghijklmnopqrstuv',
  PUBLIC_URL: 'https://atelier.example.com',
  SMTP_URL: 'smtp://localhost',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnopqrstuv',
  STRIPE_SECRET_KEY: 'sk_live_production',
};

describe('the payment provider', () => {
  const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
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
      expect(problemOf({ ...production, [name]: '' })).toContain(`- ${name} is required in production`);
    expect(problemOf(production)).toBe('none');
    const copy = { SMTP_URL: '', STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
    expect(problemOf({ ...production, ...copy, OUTBOUND: 'off' })).toBe('none');
    expect(problemOf({ ...production, ...copy, OUTBOUND: 'no' })).toContain('OUTBOUND must be `off` or left out');
  });

  test.each([
    [{ DATABASE_SCHEMA: 'studio_a' }, 'DATABASE_SCHEMA needs DATABASE_URL.'],
    [{ DATABASE_URL: 'postgres://x/y?schema=z' }, 'DATABASE_URL names a schema: set DATABASE_SCHEMA instead.'],
    ...['Studio', '1st', 'a-b', 'a b', 'pg_studio', 'information_schema', 'x'.repeat(42), 'a;drop'].map(
      (DATABASE_SCHEMA): [Record<string, string>, string] => [
        { DATABASE_URL: 'postgres://x/y', DATABASE_SCHEMA },
        'DATABASE_SCHEMA must be 1 to 41 lower-case letters, digits and _, beginning with a letter other than pg_.',
      ],
    ),
    [{ STORAGE_URL: 's3://bucket/../other' }, 'STORAGE_URL must be file:/path/to/folder or s3://bucket/folder?'],
    [{ FFMPEG: 'ffmpeg' }, 'FFMPEG must be the absolute path of a program on this machine'],
    [{ FFMPEG: '/nowhere/ffmpeg' }, 'FFMPEG must be the absolute path of a program on this machine'],
    [{ FFMPEG: '/usr' }, 'FFMPEG must be the absolute path of a program on this machine'],
    [{ STRIPE_API_URL: 'http://localhost:4009' }, 'STRIPE_API_URL must be set together with STRIPE_SECRET_KEY.'],
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

test.each([
  [{}, 'http://localhost:3000'],
  [{ PORT: '3001' }, 'http://localhost:3001'],
  [{ HOST: '0.0.0.0' }, 'http://localhost:3000'],
  [{ HOST: '::' }, 'http://localhost:3000'],
  [{ HOST: '::1' }, 'http://localhost:3000'],
  [{ HOST: '127.0.0.2' }, 'http://127.0.0.2:3000'],
  [{ HOST: '192.168.1.20' }, 'http://192.168.1.20:3000'],
  [{ HOST: 'fd00::20' }, 'http://[fd00::20]:3000'],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://atelier.example.com/' }, 'https://atelier.example.com'],
])('%o is reached at %s', (env, publicUrl) => {
  expect(read(env).publicUrl).toBe(publicUrl);
});

test('logs each request in production, and elsewhere only if it is asked to', () => {
  expect([read({}).logLevel, read({ LOG_LEVEL: 'info' }).logLevel]).toEqual(['warn', 'info']);
  expect(read(production).logLevel).toBe('info');
});

test('tells which variables look like a misspelled setting, and takes those of other programs for none', () => {
  const misspelled = { SMTP_URI: 'smtp://mail', SECRETKEY: 'x', STORAGE_ULR: 's3://x' };
  expect(
    read({ ...misspelled, HTTP_URL: 'x', POST: '1', AWS_REGION: 'x', DATABASE_USER: 'x' }).environment.misspelled(),
  ).toEqual([
    'SMTP_URI has no effect. Did you mean SMTP_URL?',
    'SECRETKEY has no effect. Did you mean SECRET_KEY?',
    'STORAGE_ULR has no effect. Did you mean STORAGE_URL?',
  ]);
  expect(read({ SMTP_URI: ' ' }).environment.misspelled()).toEqual([]);
});

describe('production', () => {
  test('a start that lacks a setting names the misspelled variable', () => {
    const problem = problemOf({ ...production, SMTP_URL: '', SMTP_URI: 'smtp://name:secret@mail' });
    expect(problem).toContain('- SMTP_URL is required in production');
    expect(problem).toContain('- SMTP_URI has no effect. Did you mean SMTP_URL?');
    expect(problem).not.toContain('secret@');
  });

  test.each([
    [{ PUBLIC_URL: 'http://atelier.example.com' }, 'PUBLIC_URL must begin with https://'],
    [{ SECRET_KEY: 'a'.repeat(32) }, 'SECRET_KEY must be at least 32 characters long, with at least 10 different ones'],
    [{ STRIPE_WEBHOOK_SECRET: '12345678' }, 'STRIPE_WEBHOOK_SECRET must be at least 32 characters long'],
    [{ WEBHOOK_ALLOW: '10.0.0.0/8' }, 'WEBHOOK_ALLOW is for development'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be production, development, test or not set'],
  ])('refuses %j: %s', (changes, problem) => {
    expect(problemOf({ ...production, ...changes })).toContain(problem);
  });

  test('refuses an operator’s password that is easy to guess', () => {
    const operator = { OPERATOR_EMAIL: 'ada@example.com', OPERATOR_PASSWORD: 'password123' };
    expect(problemOf({ ...production, ...operator })).toContain('- OPERATOR_PASSWORD is easy to guess');
    expect(problemOf(operator)).toBe('none');
  });

  test('takes the quotes of an env file for no part of the address', () => {
    const operator = { OPERATOR_EMAIL: '"ada@example.com"', OPERATOR_PASSWORD: 'correct horse battery' };
    expect(readConfig(operator).operator?.email).toBe('ada@example.com');
  });

  test('names all faults in one message, and shows no secret', () => {
    const weak = {
      PUBLIC_URL: 'http://x.example',
      SECRET_KEY: 'b'.repeat(32),
      STRIPE_WEBHOOK_SECRET: '87654321',
      WEBHOOK_ALLOW: '*',
    };
    const problem = problemOf({ ...production, ...weak, DATABASE_URL: '' });
    for (const name of [...Object.keys(weak), 'DATABASE_URL']) expect(problem).toContain(`- ${name} `);
    expect(problem).not.toMatch(/bbbb|8765/);
  });

  test.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000', 'https://atelier.example.com'])(
    'takes PUBLIC_URL %s',
    (PUBLIC_URL) => {
      expect(problemOf({ ...production, PUBLIC_URL })).toBe('none');
    },
  );

  test('takes the settings of compose.yaml, once .env has the secrets', () => {
    const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
    const secrets: Record<string, string> = {
      ...production,
      POSTGRES_PASSWORD: '0123456789abcdef',
      STORAGE_SECRET: '0123456789abcdef',
    };
    const withSecrets = text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => secrets[name] ?? '');
    const { services } = parse(withSecrets) as { services: { atelier: { environment: Record<string, string> } } };
    const { environment } = services.atelier;
    expect(problemOf({ NODE_ENV: 'production', ...environment })).toBe('none');
    expect(problemOf({ NODE_ENV: 'production', ...environment, SECRET_KEY: '' })).toContain('SECRET_KEY is required');
  });

  test.each(['development', 'test', ''])('NODE_ENV %j is for trying out', (NODE_ENV) => {
    expect(problemOf({ NODE_ENV })).toBe('none');
  });
});
