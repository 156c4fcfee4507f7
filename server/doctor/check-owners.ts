import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';

/** Whether the studio has an owner: somebody must be able to run the desk. */
export async function checkOwners(db: Db, { secondFactor }: { secondFactor: boolean }): Promise<Finding> {
  const owners = await db.selectFrom('people').select('second_factor').where('operator_role', '=', 'owner').execute();
  if (owners.length === 0)
    return fail(
      'The studio has no owner, so nobody can run the desk.',
      'Run: npm run admin -- operator create --email … --name …',
    );
  const without = owners.filter((owner) => !owner.second_factor).length;
  if (secondFactor && without > 0)
    return warn(
      `${without} of ${owners.length} owners have no second factor, which OPERATOR_SECOND_FACTOR requires.`,
      'They set it up at their next sign-in: ask them to sign in at /desk.',
    );
  return ok(owners.length === 1 ? 'The studio has an owner.' : `The studio has ${owners.length} owners.`);
}
