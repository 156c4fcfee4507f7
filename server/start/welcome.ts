import { styleText } from 'node:util';
import { demoKey, demoPerson } from './demo-account.ts';
import type { Context } from './context.ts';
import { mailboxPath } from '../pages/sandbox-mail.ts';

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
  /** Where this process listens, whatever its public address is. */
  origin: string;
  embedded: boolean;
  operator: { email: string; password: string } | null;
  passwordHolds: boolean;
};

/** The start screen outside production: where things are, who may sign in, and one command that creates a job. */
export async function welcome(
  { config, provider, publicUrl }: Context,
  { origin, embedded, operator, passwordHolds }: Shown,
): Promise<string> {
  // The demo customer proves an address by a mail that is read here.
  const mailbox = mailboxPath(config.smtpUrl, publicUrl);
  const demo = embedded && provider.name === 'sandbox' && mailbox !== null;
  const key = demo ? await demoKey(origin, config.dataDir) : null;
  const given = config.operator ? '(OPERATOR_PASSWORD)' : (operator?.password ?? '');
  const kept = config.operator
    ? '(not OPERATOR_PASSWORD: as it was set before)'
    : '(its password as it was set before)';
  const person = demoPerson(config.dataDir);
  const line = (name: string, ...columns: string[]) => `  ${name.padEnd(15)} ${columns.join('   ')}`;
  const page = (path: string) => `${publicUrl}${path}`;
  const door = (path: string) => page(path).padEnd(page('/desk').length);
  return [
    `\n${bold('Atelier')} is listening at ${bold(publicUrl)}\n`,
    line('Dashboard', door('/'), ...(demo ? [person.email, person.password] : [])),
    line('Desk', door('/desk'), ...(operator ? [operator.email, passwordHolds ? given : kept] : [])),
    line('MCP', door('/mcp'), 'for agents, with an API key'),
    line('API reference', page('/docs')),
    ...(mailbox ? [line('Mails', page(mailbox))] : []),
    ...(provider.name === 'sandbox' ? [] : [line('Payments', `Stripe, ${provider.livemode ? 'live' : 'test'} mode`)]),
    ...(demo ? [line('Data', config.dataDir)] : []),
    ...(key
      ? [`\nThe demo account holds the plan "studio". Create a job with its key:\n\n${curl(publicUrl, key)}`]
      : []),
    '',
  ].join('\n');
}

/** Styled only in a terminal that shows colours. */
const bold = (text: string) => styleText('bold', text);
