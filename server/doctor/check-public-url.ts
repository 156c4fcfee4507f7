import { createPosterUrl, newPosterKey } from '../files/poster-url.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Signer } from '../lib/signer.ts';
import { checkCertificate } from './check-certificate.ts';
import { fail, type Finding, ok, warn } from './finding.ts';
import type { Reason } from './reason.ts';

/** Not reached: perhaps only from this machine. Without Postgres a proxy may have no process to ask. */
export async function checkPublicUrl(
  publicUrl: string,
  signer: Signer,
  reason: Reason,
  isPostgresWell = true,
): Promise<Finding> {
  const health = await get(`${publicUrl}/healthz`).catch((error: unknown) => reason(error));
  if (typeof health === 'string') return (await checkCertificate(publicUrl)) ?? unreached(publicUrl, health);
  if (!isPostgresWell && health.status >= 500) return withoutPostgres(publicUrl, health.status);
  const action = `Let the proxy pass everything of PUBLIC_URL on to the service, and look at: curl -i ${publicUrl}/healthz`;
  if (health.status !== 200 || !isAlive(health.text))
    return fail(`${publicUrl}/healthz answers ${health.status}, and not as the service does.`, action);
  // Only a service with our SECRET_KEY finds the signature good, and then no object.
  const poster = await get(createPosterUrl(signer, publicUrl)(newPosterKey()));
  if (!isPostgresWell && poster.status >= 500) return withoutPostgres(publicUrl, poster.status);
  const code = errorCodeOf(poster.text);
  if (poster.status === 404 && code === 'not_found')
    return (await checkCertificate(publicUrl)) ?? ok(`${publicUrl} reaches this installation.`);
  if (code === 'signed_url_invalid')
    return fail(
      `${publicUrl} reaches a service with another SECRET_KEY.`,
      'Run doctor with the environment of that service, or correct PUBLIC_URL.',
    );
  if (poster.status >= 500 && code !== null)
    return fail(
      `The service at ${publicUrl} answers ${poster.status} (${code}) when it reads a file.`,
      'Look at the lines storage and Postgres, and at the log of the service, which has its own view of the storage.',
    );
  return fail(`${publicUrl}/storage/… answers ${poster.status}, and not as the service does.`, action);
}

const unreached = (publicUrl: string, words: string) =>
  warn(
    `${publicUrl} cannot be reached from here: ${words}.`,
    `Start the service, and try from another machine: curl -i ${publicUrl}/healthz`,
  );

const withoutPostgres = (publicUrl: string, status: number) =>
  warn(
    `${publicUrl} answers ${status}, as it does without Postgres.`,
    'Mend what the line Postgres says, then run doctor again.',
  );

async function get(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(deadlines.doctor.reach) });
  return { status: answer.status, text: await answer.text() };
}

const isAlive = (text: string) => text.startsWith('{"status":"ok"');

/** Null: this is no error of the service. */
const errorCodeOf = (text: string): string | null => /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? null;
