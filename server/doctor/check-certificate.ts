import { once } from 'node:events';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { deadlines } from '../lib/deadlines.ts';
import { fail, type Finding, warn } from './finding.ts';

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

/** Takes any certificate: it is only read, and nothing is sent. */
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
