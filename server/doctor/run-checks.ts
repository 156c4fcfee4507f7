import pTimeout from 'p-timeout';
import { deadlines } from '../lib/deadlines.ts';
import { fail, type Finding } from './finding.ts';
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
