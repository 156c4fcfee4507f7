import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal.ts';
import { page, text } from '../lib/html.ts';
import { isEveryAddress, isLoopback } from '../lib/loopback.ts';
import type { MailSender } from '../mail/mail-sender.ts';
import type { Mailbox } from '../mail/mailbox.ts';

const sandboxMailPath = '/sandbox/mail';

/** Null for a public name: a proxy could hide the caller, so a mail server is needed. */
export function mailboxPath(smtpUrl: string | null, publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl);
  const isHere = isLoopback(hostname) || isEveryAddress(hostname);
  return smtpUrl === null && isHere ? sandboxMailPath : null;
}

type Dependencies = { mailbox: Mailbox; mailSender: MailSender; publicUrl: string };

/** Reading these mails allows taking over accounts, so only this machine may. */
export const sandboxMail =
  ({ mailbox, mailSender, publicUrl }: Dependencies) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(sandboxMailPath, async (request, reply) => {
      if (!isLocal(request, publicUrl)) throw new Refusal('not_found');
      await mailSender.idle(); // includes the mail of the latest action
      const mails = await mailbox.read();
      if (/\bapplication\/json\b/.test(request.headers.accept ?? '')) return reply.send({ mails });
      const shown = mails.map(
        (
          mail,
        ) => `<article><h2>${text(mail.subject)}</h2><p><span>To ${text(mail.to)}</span>${sentAt(mail.created_at)}</p>
<pre>${withLinks(mail.text)}</pre></article>`,
      );
      return page(reply, 'Mails', shown.join('') || '<p>No mail was sent yet.</p>');
    });
  };

const sentAt = (at: string) => `<time datetime="${text(at)}">${text(at.slice(0, 16).replace('T', ' '))} UTC</time>`;

/** Headers that proxies and content networks add: the caller may then be somebody else. */
const forwardingNames = 'forwarded via x-real-ip x-client-ip x-cluster-client-ip true-client-ip client-ip'.split(' ');
const forwardingPrefixes = 'x-forwarded x-original- cf- fastly- cdn- x-envoy- x-amzn- x-azure- fly-'.split(' ');
const isForwarding = (name: string): boolean =>
  forwardingNames.includes(name) || forwardingPrefixes.some((prefix) => name.startsWith(prefix));

/** Whether a proxy says that the caller is somebody else. */
export const isForwarded = ({ headers }: FastifyRequest): boolean => Object.keys(headers).some(isForwarding);

/** A peer on this machine without a proxy. The host name must be local too, which rules out DNS rebinding. */
function isLocal(request: FastifyRequest, publicUrl: string): boolean {
  const { socket, headers } = request;
  const host = (headers.host ?? '').toLowerCase();
  const name = host.replace(/:\d+$/, '');
  const named = isLoopback(name) || host === new URL(publicUrl).host;
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !isForwarded(request) && named && (peer === '::1' || peer.startsWith('127.'));
}

const withLinks = (body: string) => text(body).replace(/https?:\/\/[^\s<>"]+/g, (url) => `<a href="${url}">${url}</a>`);
