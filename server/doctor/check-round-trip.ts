import { newId } from '../lib/id.ts';
import type { Storage } from '../files/storage.ts';
import { fail, type Finding, ok } from './finding.ts';

const bytes = Buffer.from('Written by npm run admin -- doctor, and deleted at once.\n');

/** Writes, reads and deletes one object of its own. */
export async function checkRoundTrip(storage: Storage): Promise<Finding> {
  const key = `uploads/${newId()}.txt`;
  try {
    await storage.write(key, { contentType: 'text/plain', bytes });
    const read = await storage.readStart(key, bytes.length);
    if (!read || !bytes.equals(read))
      return fail(
        'The storage does not give back what was written.',
        'Give all processes the same storage in STORAGE_URL, one that is consistent after a write.',
      );
  } finally {
    await storage.remove(key);
  }
  if ((await storage.measure(key)) !== null)
    return fail('The storage does not delete objects.', 'Allow s3:DeleteObject to the key, and check object locks.');
  return ok('The storage writes, reads and deletes.');
}
