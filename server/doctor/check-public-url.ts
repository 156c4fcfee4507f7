import { createPosterUrl, newPosterKey } from '../files/poster-url.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Signer } from '../lib/signer.ts';
import { fail, type Finding, ok, warn } from './finding.ts';
import type { Reason } from './reason.ts';

/** Not reached: perhaps only from this machine. */
export async function checkPublicUrl(publicUrl: string, signer: Signer, reason: Reason): Promise<Finding> {
  const health = await get(`${publicUrl}/healthz`).catch((error: unknown) => reason(error));
  if (typeof health === 'string')
    return warn(
      `${publicUrl} cannot be reached from here: ${health}.`,
      `Start the service, and try from another machine: curl -i ${publicUrl}/healthz`,
    );
  const action = `Let the proxy pass everything of PUBLIC_URL on to the service, and look at: curl -i ${publicUrl}/healthz`;
  if (health.status !== 200 || !isAlive(health.text))
    return fail(`${publicUrl}/healthz answers ${health.status}, and not as the service does.`, action);
  // Only a service with our SECRET_KEY finds the signature good, and then no object.
  const poster = await get(createPosterUrl(signer, publicUrl)(newPosterKey()));
  if (poster.status === 404 && poster.text.includes('"not_found"'))
    return ok(`${publicUrl} reaches this installation.`);
  if (poster.text.includes('"signed_url_invalid"'))
    return fail(
      `${publicUrl} reaches a service with another SECRET_KEY.`,
      'Run doctor with the environment of that service, or correct PUBLIC_URL.',
    );
  return fail(`${publicUrl}/storage/… answers ${poster.status}, and not as the service does.`, action);
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(deadlines.doctor.reach) });
  return { status: answer.status, text: await answer.text() };
}

const isAlive = (text: string) => text.startsWith('{"status":"ok"');
