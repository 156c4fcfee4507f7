import { networkInterfaces } from 'node:os';
import { styleText } from 'node:util';
import { demoKey, demoPerson } from './demo-account.ts';
import type { Context } from './context.ts';
import { mailboxPath } from '../pages/sandbox-mail.ts';
import { isEveryAddress } from '../lib/loopback.ts';
import { type Config, listeningUrl, nextPort } from './config.ts';

const curl = (url: string, key: string) => `curl -sS ${url}/api/v1/jobs \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: first-job-$(date +%s)" \\
  -d '{
    "service_family": "design",
    "service_type": "logo",
    "customer_title": "Logo for a neighbourhood bakery",
    "customer_instructions": "Brand name: Rise Bakery. Target audience: families within two miles."
  }'`;

type Shown = {
  /** The listening address, which may differ from the public one. */
  origin: string;
  embedded: boolean;
  operator: { email: string; password: string } | null;
  passwordHolds: boolean;
};

/** Printed outside production: addresses, sign-ins and a command that creates a job. */
export async function welcome(
  { config, isCopy, provider, publicUrl }: Context,
  { origin, embedded, operator, passwordHolds }: Shown,
): Promise<string> {
  // The demo customer verifies its address by a mail in this mailbox.
  const mailbox = isCopy ? null : mailboxPath(config.smtpUrl, publicUrl);
  const demo = embedded && provider.name === 'sandbox' && mailbox !== null;
  const key = demo ? await demoKey(origin, config.dataDir) : null;
  const currentPassword = config.operator ? '(OPERATOR_PASSWORD)' : (operator?.password ?? '');
  const earlierPassword = config.operator ? '(an earlier password, not OPERATOR_PASSWORD)' : '(its earlier password)';
  const person = demoPerson(config.dataDir);
  const line = (name: string, ...columns: string[]) => `  ${name.padEnd(15)} ${columns.join('   ')}`;
  const page = (path: string) => `${publicUrl}${path}`;
  const door = (path: string) => page(path).padEnd(page('/desk').length);
  const passwordFiles = [
    ...(demo ? ['demo-password'] : []),
    ...(operator && !config.operator ? ['operator-password'] : []),
  ];
  const isDefault = publicUrl === listeningUrl(config.host, config.port);
  const forOthers = isDefault ? addressForOthers(config) : null;
  return [
    `\n${bold('Atelier')} is listening at ${bold(publicUrl)}\n`,
    line('Dashboard', door('/'), ...(demo ? [person.email, person.password] : [])),
    line(
      'Desk',
      door('/desk'),
      ...(operator ? [operator.email, passwordHolds ? currentPassword : earlierPassword] : []),
    ),
    line('MCP', door('/mcp'), 'for agents, with an API key or by OAuth'),
    line('API reference', page('/docs')),
    ...(mailbox ? [line('Mails', page(mailbox))] : []),
    ...(mailbox || config.smtpUrl || isCopy
      ? []
      : [line('Mails', 'need SMTP_URL, as PUBLIC_URL is not on this machine')]),
    ...(provider.name === 'sandbox' ? [] : [line('Payments', `Stripe, ${provider.livemode ? 'live' : 'test'} mode`)]),
    ...(demo ? [line('Data', config.dataDir)] : []),
    ...(passwordFiles.length > 0 ? [line('Passwords', `${passwordFiles.join(' and ')} in ${config.dataDir}`)] : []),
    ...(isDefault ? [line('Another port', `PORT=${nextPort(config.port)} npm start`)] : []),
    ...(forOthers ? [line('Other machines', `also set PUBLIC_URL=${forOthers}`)] : []),
    ...(config.logLevel === 'warn' ? [line('More log lines', 'LOG_LEVEL=info npm start')] : []),
    ...(key ? [`\nThe demo account has the plan "studio". Create a job with its key:\n\n${curl(publicUrl, key)}`] : []),
    '',
  ].join('\n');
}

/** Where other machines reach a service that now shows them an address of this machine. */
function addressForOthers({ host, port }: Config): string | null {
  if (!isEveryAddress(host)) return null;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return outer ? listeningUrl(outer.address, port) : null;
}

const bold = (text: string) => styleText('bold', text);

/** Why the service cannot listen, and what to do. */
export function whyNoAddress(error: Error, { host, port }: Config): string {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return `${error.message}. Check PORT and HOST.`;
  return `Port ${port} of ${host} is taken. Choose another one, such as: PORT=${nextPort(port)} npm start`;
}
