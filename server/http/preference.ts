import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request prefers the whole resource as its answer (`Prefer: return=representation`, RFC 7240). */
export function prefersRepresentation({ prefer = '' }: IncomingHttpHeaders): boolean {
  const preferences = [prefer].flat().join().split(',');
  const [first] = preferences.flatMap(
    (preference) => /^\s*return\s*=\s*"?(\w+)"?\s*(?:;|$)/i.exec(preference)?.[1] ?? [],
  );
  return first?.toLowerCase() === 'representation'; // of repeated preferences the first one counts
}
