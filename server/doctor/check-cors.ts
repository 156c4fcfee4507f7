import { newId } from '../lib/id.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Storage } from '../files/storage.ts';
import { fail, type Finding, ok } from './finding.ts';

const headers = ['content-type', 'x-service-max-size'];

/** Asks the bucket what a browser asks before it uploads from a page. */
export async function checkCors(storage: Storage, publicUrl: string): Promise<Finding> {
  const { origin } = new URL(publicUrl);
  const terms = { contentType: 'image/png', bytes: 1, from: new Date(0), seconds: 60 };
  const answer = await fetch(await storage.uploadUrl(`uploads/${newId()}.png`, terms), {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': headers.join(','),
    },
    signal: AbortSignal.timeout(deadlines.doctor.reach),
  });
  await answer.arrayBuffer();
  const list = (name: string) =>
    (answer.headers.get(name) ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => item.trim());
  const allows = (name: string, value: string) => list(name).includes('*') || list(name).includes(value);
  const isAllowed =
    answer.ok &&
    allows('access-control-allow-origin', origin.toLowerCase()) &&
    allows('access-control-allow-methods', 'put') &&
    headers.every((header) => allows('access-control-allow-headers', header));
  if (isAllowed) return ok(`The bucket takes uploads from pages of ${origin}.`);
  return fail(
    `The bucket refuses uploads from pages of ${origin}.`,
    `Allow in its CORS rules: origin ${origin}, method PUT, headers ${headers.join(' and ')}.`,
  );
}
