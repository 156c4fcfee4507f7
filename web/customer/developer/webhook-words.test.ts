import { expect, test } from 'vitest';
import type { WebhookEndpoint } from '../../app/api.ts';
import { sayError, sayEvents } from './webhook-words.ts';

test('a fault of the network is said in words, and one that has none keeps its name', () => {
  expect(sayError(null)).toBe('no answer');
  expect(sayError('ECONNREFUSED')).toBe('nothing listens there');
  expect(sayError('EPROTO')).toBe('EPROTO');
  expect(sayError('constructor')).toBe('constructor');
});

test('an endpoint says its one event, or how many kinds', () => {
  const events = (types: WebhookEndpoint['types']) => sayEvents({ types } as WebhookEndpoint);
  expect(events(null)).toBe('all events');
  expect(events(['job.completed'])).toBe('Job completed');
  expect(events(['job.completed', 'job.created'])).toBe('2 kinds of events');
});
