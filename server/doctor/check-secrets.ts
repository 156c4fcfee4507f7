import type { Db } from '../db/pool.ts';
import { countStoredSecrets } from '../start/stored-secrets.ts';
import { counted, fail, type Finding, ok, warn } from './run-checks.ts';

/** Which keys encrypted what is stored. */
export async function checkSecrets(db: Db, secretKeys: readonly string[]): Promise<Finding> {
  const stored = await countStoredSecrets(db, secretKeys);
  const under = (key: 'second' | 'unknown') =>
    stored.flatMap((group) => (group[key] > 0 ? [counted(group[key], group.what)] : [])).join(' and ');
  if (under('unknown'))
    return fail(
      `No key of SECRET_KEY decrypts ${under('unknown')}.`,
      'Append the key that encrypted them, SECRET_KEY=new,old, and restart the service.',
    );
  if (under('second'))
    return warn(
      `The second key of SECRET_KEY is still needed for ${under('second')}.`,
      'Keep both keys until none is left: npm run admin -- secrets status',
    );
  return ok('The first key of SECRET_KEY decrypts all stored secrets.');
}
