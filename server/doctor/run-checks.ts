import pTimeout from 'p-timeout';
import { deadlines } from '../lib/deadlines.ts';
import type { Reason } from './reason.ts';

export type Line = { check: string } & Finding;

type Hint = string | ((error: unknown) => Promise<string>);

/** `unless`: what to do if the check itself fails. */
export type Check = { check: string; run(): Promise<Finding | Finding[]>; unless: Hint };

/** One after the other, so that they do not disturb what they measure. None ends the others. */
export async function runChecks(
  checks: readonly Check[],
  reason: Reason,
  milliseconds: number = deadlines.doctor.check,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const check of checks) lines.push(...(await runCheck(check, reason, milliseconds)));
  return lines;
}

async function runCheck({ check, run, unless }: Check, reason: Reason, milliseconds: number): Promise<Line[]> {
  const message = `it took longer than ${milliseconds / 1000} s`;
  try {
    const findings = await pTimeout(run(), { milliseconds, message });
    return [findings].flat().map((finding) => ({ check, ...finding }));
  } catch (error) {
    const action = typeof unless === 'string' ? unless : await unless(error);
    return [{ check, ...fail(`The check failed: ${reason(error)}.`, action) }];
  }
}

export type Status = 'ok' | 'warn' | 'fail';

/** What a check has seen: one sentence, and what to do about it. Nothing to do: null. */
export type Finding = { status: Status; sentence: string; action: string | null };

export const ok = (sentence: string): Finding => ({ status: 'ok', sentence, action: null });
export const warn = (sentence: string, action: string): Finding => ({ status: 'warn', sentence, action });
export const fail = (sentence: string, action: string): Finding => ({ status: 'fail', sentence, action });

/** `3 jobs`, `1 job`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
