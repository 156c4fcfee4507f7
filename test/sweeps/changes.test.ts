import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';

/** How the path of a POST ends that creates nothing: with what it does. */
const verbs = [
  'decide',
  'invite',
  'approve',
  'cancel',
  'check',
  'revision',
  'complete',
  'download',
  'archive',
  'ask-to-look',
  'intent-check',
  'preflight',
  'webhook',
  'accept',
  'claim',
  'done',
  'close',
  'confirm',
  'decline',
  'delete',
  'end',
  'heartbeat',
  'hold',
  'keep',
  'leave',
  'pass',
  'read',
  'redeliver',
  'reject',
  'release',
  'reopen',
  'replay',
  'reschedule',
  'return',
  'review',
  'revoke',
  'rotate-secret',
  'start',
  'submit',
  'suspend',
  'switch',
  'test',
  'view',
  'change-email',
  'change-password',
  'request-password-reset',
  'reset-password',
  'send-verification-email',
  'sign-in/email',
  'sign-out',
  'sign-up/email',
  'undo-change',
  'unsubscribe',
  'verify',
  'verify-email',
  'withdraw',
];

const titled = endpoints.map((line) => [`${line.method} ${line.path}`, line] as const);

describe('POST creates, or its path ends with a verb', () => {
  const posts = titled.filter(([, { method }]) => method === 'POST');
  test.each(posts)('%s', (_, { operationId, path, answers }) => {
    // Sets a field of the session, which may have been answered before.
    if (operationId === 'answerIntake') expect(path).toMatch(/\/answers$/);
    else if (!(201 in answers)) expect(verbs.filter((verb) => path.endsWith(`/${verb}`))).not.toEqual([]);
    else expect(path).not.toMatch(/\}$/);
  });

  test('and every verb of the list is in use', () => {
    expect(verbs.filter((verb) => !posts.some(([, { path }]) => path.endsWith(`/${verb}`)))).toEqual([]);
  });
});

describe('201 tells in Location where to find what was created', () => {
  const creating = titled.filter(([, { answers }]) => 201 in answers);
  const paths = endpoints.map(({ path }) => path.replace(/\{\w+\}/g, '{}'));
  test.each(creating)('%s', (_, { location = '' }) => {
    // An address of the service, or one of the payment provider.
    expect([...paths, '{}']).toContain(location.replace(/\{[\w.]+\}/g, '{}'));
  });

  test('and nothing else has one', () => {
    expect(endpoints.filter(({ answers, location }) => location && !(201 in answers))).toEqual([]);
  });
});

describe('PATCH changes the resource that its path names, and answers it', () => {
  test.each(titled.filter(([, { method }]) => method === 'PATCH'))('%s', (_, { path, answers }) => {
    expect(verbs.filter((verb) => path.endsWith(`/${verb}`))).toEqual([]);
    expect(Object.keys(answers)).toEqual(['200']);
  });
});
