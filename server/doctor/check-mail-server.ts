import { newId } from '../lib/id.ts';
import { deadlines } from '../lib/deadlines.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { Transport } from '../mail/transport.ts';
import { type Finding, ok, warn } from './run-checks.ts';

/** Greeting, TLS and sign-in, without sending. */
export async function checkMailServer(mail: Transport, smtpUrl: string | null): Promise<Finding> {
  if (smtpUrl === null)
    return warn(
      'There is no mail server: mails stay in files under DATA_DIR.',
      'Set SMTP_URL before the first customer.',
    );
  await mail.verify();
  const { protocol, hostname } = new URL(smtpUrl);
  if (protocol === 'smtps:' || isLoopback(hostname)) return ok('The mail server greets and lets the service in.');
  const isEncrypted = await mail.verify({ encrypted: true }).then(
    () => true,
    () => false, // it was just reached without this
  );
  if (isEncrypted) return ok('The mail server greets, encrypts and lets the service in.');
  return warn(
    'The mail server offers no TLS: mails and the password are readable on the way.',
    'Name its encrypted port in SMTP_URL: smtps://…',
  );
}

export async function sendTestMail(mail: Transport, smtpUrl: string | null, address: string): Promise<Finding> {
  const words = 'This mail was sent by npm run admin -- doctor. The service can send mails.';
  const email = {
    to: address,
    subject: 'A test mail',
    text: `${words}\n`,
    html: `<p>${words}</p>`,
    senderName: null,
    unsubscribe: null,
  };
  await mail.send({ id: newId(), ...email }, AbortSignal.timeout(deadlines.mail.send));
  if (smtpUrl === null) return ok(`The mail to ${address} is in a file under DATA_DIR.`);
  return ok(`The mail server took a mail to ${address}: look whether it arrives, and not as spam.`);
}
