import { type Figure, numberOf } from '../figure.ts';
import { processCrashes } from './f01-process-crashes.ts';
import { postgresCrashes } from './f02-postgres-crashes.ts';
import { lastQuota } from './f03-last-quota.ts';
import { repeats } from './f04-repeats.ts';
import { generatedInput } from './f05-generated-input.ts';
import { tenants } from './f06-tenants.ts';
import { signatures } from './f07-signatures.ts';
import { deliveries } from './f08-deliveries.ts';
import { leases } from './f09-leases.ts';
import { rollingRestarts } from './f10-rolling-restarts.ts';
import { overload } from './f11-overload.ts';
import { fullDisks } from './f12-full-disks.ts';
import { secrets } from './f13-secrets.ts';
import { clocks } from './f14-clocks.ts';
import { refusedStarts } from './f15-refused-starts.ts';
import { twoFaults } from './f16-two-faults.ts';

/** Each lane runs beside the other: the first keeps the processors busy, the second mostly waits. */
export const lanes: readonly (readonly Figure[])[] = [
  [processCrashes, postgresCrashes, lastQuota, repeats, generatedInput, rollingRestarts, fullDisks],
  [leases, twoFaults, refusedStarts, overload, deliveries, tenants, signatures, clocks],
];

/** Secrets are looked for in what the others wrote. */
export const last: readonly Figure[] = [secrets];

export const figures: readonly Figure[] = [...lanes.flat(), ...last].toSorted((a, b) => numberOf(a) - numberOf(b));
