import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { expect, test } from 'vitest';
import { newId, newRequestId, readId, showId } from './id.ts';

test('showId writes ids as the TypeID package does, and readId reads them back', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const id = showId('job', uuid);
      expect(id).toBe(TypeID.fromUUID('job', uuid).toString());
      expect(readId('job', id)).toBe(uuid);
    }),
  );
});

test('readId accepts what the package accepts, and only the canonical spelling', () => {
  const packaged = (text: string) => {
    try {
      return TypeID.fromString(text, 'job').toUUID();
    } catch {
      return null;
    }
  };
  const letter = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyziluoA_-%');
  const tail = fc.array(letter, { minLength: 25, maxLength: 27 }).map((letters) => letters.join(''));
  const plain = fc.array(fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), { minLength: 26, maxLength: 26 });
  const texts = fc.oneof(
    tail,
    plain.map((letters) => letters.join('')),
  );
  fc.assert(
    fc.property(fc.constantFrom('job_', 'jobs', 'key_', 'job-', ''), texts, (prefix, text) => {
      const id = prefix + text;
      const [uuid, expected] = [readId('job', id), packaged(id)];
      if (expected !== null) expect(uuid).toBe(expected);
      if (uuid !== null) expect(showId('job', uuid)).toBe(id);
    }),
    { numRuns: 2_000 },
  );
});

test('new ids are distinct UUIDv7s that sort in order of creation', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(parseInt(newId().replace('-', '').slice(0, 12), 16) / Date.now()).toBeCloseTo(1, 6);
});

test('a request id is a TypeID', () => {
  expect(TypeID.fromString(newRequestId(), 'req').getType()).toBe('req');
});
