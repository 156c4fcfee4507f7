import { describe, expect, test } from 'vitest';
import type { Entitlement } from '../../app/api.ts';
import { hasStopped, noPlanWords, planWords, stateWords } from './plan-words.ts';

const access = { active: true, dashboard_access: true, api_access: true };
const plans = (plan_codes: string[], paused: string[] = [], past_due: string[] = []) => ({
  ...access,
  plan_codes,
  paused,
  past_due,
});

describe('planWords', () => {
  test.each([
    [plans(['solo']), 'Solo plan'],
    [plans(['solo', 'agent']), 'Solo, Agent plan'],
    [plans([]), 'no plan'],
    [plans([], ['solo']), 'Plan paused'],
    [plans(['agent'], ['solo']), 'Agent, Solo paused'],
    [plans(['solo'], [], ['solo']), 'Payment overdue'],
  ])('%j is said as %s', (held, words) => {
    expect(planWords(held)).toBe(words);
  });
});

test('what has no plan says why, and whether something stopped', () => {
  expect(noPlanWords(plans([], ['solo', 'agent']))).toBe('Solo and Agent is paused');
  expect(noPlanWords(plans([], [], ['solo']))).toBe('The payment for Solo is overdue');
  expect(noPlanWords(plans([]))).toBe('The account has no active plan');
  expect([plans(['solo']), plans([], ['solo']), plans([], [], ['solo'])].map(hasStopped)).toEqual([false, true, true]);
});

test('each state of a plan has its sentence', () => {
  const say = (status: Entitlement['status'], end: string) =>
    stateWords({ name: 'Solo', status, period: { start: '', end }, updated_at: '2020-02-03T12:00:00Z' } as Entitlement);
  const [past, future] = ['2020-03-04T12:00:00Z', '2999-03-04T12:00:00Z'];
  expect(say('active', future)).toMatch(/^You have Solo; the period ends on .*2999\.$/);
  expect(say('paused', future)).toMatch(/^Solo has been paused since .*2020: nothing can be ordered/);
  expect(say('past_due', future)).toMatch(/you can order with it until .*2999\.$/);
  expect(say('past_due', past)).toMatch(/its period ended on .*2020: nothing can be ordered/);
  expect(say('canceled', past)).toMatch(/^Solo ended on .*2020\.$/);
  expect(say('expired', past)).toMatch(/^The period of Solo ended on .*2020, and no renewal has arrived\.$/);
});
