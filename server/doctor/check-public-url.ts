import { once } from 'node:events';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { createPosterUrl, newPosterKey } from '../files/poster-url.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Signer } from '../lib/signer.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';
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

/** Renewal by ACME begins 30 days before the end. */
const soon = 14 * 86_400_000;

type Seen = { certificate: PeerCertificate; untrusted: string | null };

/** What is wrong with the certificate of an address. Null: nothing, or the address sends none. */
export async function checkCertificate(publicUrl: string): Promise<Finding | null> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return null;
  const host = hostname.replaceAll(/[[\]]/g, '');
  const seen = await readCertificate(host, Number(port || 443)).catch(() => null);
  return seen && judgeCertificate(publicUrl, host, seen);
}

/** Accepts any certificate: it is only read, and nothing is sent. */
async function readCertificate(host: string, port: number): Promise<Seen | null> {
  const socket = connect({ host, port, rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(deadlines.doctor.reach) });
    const { authorizationError: error } = socket;
    const certificate = socket.getPeerCertificate();
    return certificate.valid_to ? { certificate, untrusted: error ? String(error) : null } : null;
  } finally {
    socket.destroy();
  }
}

function judgeCertificate(publicUrl: string, host: string, { certificate, untrusted }: Seen): Finding | null {
  const [from, to, now] = [new Date(certificate.valid_from), new Date(certificate.valid_to), new Date()];
  const subject = `The certificate of ${publicUrl}`;
  const renew = `Renew it, with the name ${host}, and have the proxy load it: callers refuse this one.`;
  if (to < now) return fail(`${subject} expired on ${dayOf(to)}.`, renew);
  if (from > now) return fail(`${subject} is valid only from ${dayOf(from)} on.`, renew);
  if (untrusted === 'CERT_HAS_EXPIRED') return fail(`${subject} was issued by a certificate that has expired.`, renew);
  if (checkServerIdentity(host, certificate))
    return fail(`${subject} is for ${namesOf(certificate)}, and not for ${host}.`, renew);
  if (to.getTime() - now.getTime() < soon)
    return warn(`${subject} ends on ${dayOf(to)}.`, 'Renew it, and have the proxy load it: find out why nothing has.');
  if (untrusted === null) return null;
  return warn(
    `${subject} is of an authority that this machine does not trust (${untrusted}).`,
    'Set NODE_EXTRA_CA_CERTS if the authority is your own. Otherwise renew it, and let the proxy send its whole chain.',
  );
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

const namesOf = ({ subject, subjectaltname }: PeerCertificate) =>
  subjectaltname?.replaceAll(/\b(DNS|IP Address):/g, '') ?? String(subject.CN);
