import { describe, expect, test } from 'vitest';
import type { Session } from '../../app/session/session.tsx';
import { hasStopped, noPlanWords, planNames, planWords } from './plan-words.ts';

type Plan = Session['plans']['plans'][number];

const plan = (plan_code: string, change: Partial<Plan> = {}): Plan => ({
  plan_code,
  status: 'active',
  status_detail: null,
  ends_at: null,
  paid_until: null,
  collection_paused: false,
  ...change,
});
const summary = (...plans: Plan[]): Session['plans'] => ({
  active: true,
  dashboard_access: true,
  api_access: true,
  plan_codes: plans.filter(({ status }) => status === 'active').map(({ plan_code: code }) => code),
  paused: [],
  past_due: [],
  plans,
});
const end = '2999-03-04T12:00:00Z';

describe('what the menu says of the plans', () => {
  test.each([
    [[], /^no plan$/],
    [[plan('solo')], /^Solo plan$/],
    [[plan('solo'), plan('agent')], /^Solo, Agent plan$/],
    [[plan('solo', { status: 'paused' })], /^Plan paused$/],
    [[plan('agent'), plan('solo', { status: 'stopped' })], /^Agent, Solo: stopped$/],
    [[plan('solo', { status: 'stopped' })], /^Plan stopped$/],
    [[plan('solo', { status: 'past_due' })], /^Payment overdue$/],
    [[plan('solo', { ends_at: end })], /^Ends on .*2999$/],
    [[plan('solo', { status_detail: 'trial', paid_until: end })], /^Trial until .*2999$/],
    [[plan('solo', { collection_paused: true })], /^Payment is paused$/],
  ])('%j is said as %s', (plans, words) => {
    expect(planWords(summary(...plans))).toMatch(words);
  });
});

test('whoever has no plan reads why, and whether something stopped', () => {
  expect(noPlanWords(summary(plan('solo', { status: 'paused' }), plan('agent', { status: 'past_due' })))).toBe(
    'Solo is paused. The payment for Agent is overdue',
  );
  expect(noPlanWords(summary())).toBe('The account has no active plan');
  const all = [plan('solo'), plan('solo', { status: 'stopped' }), plan('solo', { ends_at: end })];
  expect(all.map((each) => hasStopped(summary(each)))).toEqual([false, true, false]);
});

test('an order names the plans that serve, and nothing else', () => {
  expect(planNames(summary(plan('solo', { ends_at: end }), plan('agent', { status: 'paused' })))).toBe('Solo plan');
});
