import { wordsOf } from '../db/servers.ts';
import { rootOf } from '../lib/log.ts';

/** Why something failed, in one line without secrets. */
export type Reason = (error: unknown) => string;

type Variables = Record<string, string | undefined>;

const mostCharacters = 300;

export function reasonWithout(variables: Variables): Reason {
  const secrets = secretsOf(variables);
  return (error) => {
    const root = rootOf(error);
    const words = wordsOf(root) || (root instanceof Error ? root.name : '');
    const line = words.replaceAll(/\s+/g, ' ').replace(/\.$/, '') + bareStatusOf(root);
    return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line).slice(0, mostCharacters);
  };
}

/** The SDK of the storage has no message for an answer of another program, such as a proxy. */
function bareStatusOf(error: unknown): string {
  const { message, $metadata } = Object(error) as { message?: string; $metadata?: { httpStatusCode?: number } };
  return message === 'UnknownError' && $metadata?.httpStatusCode ? `, answered ${$metadata.httpStatusCode}` : '';
}

const secretNames = [
  'SECRET_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OPERATOR_PASSWORD',
  'INTAKE_MODEL_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];
const urlNames = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'SMTP_URL', 'REDIS_URL'];

export function secretsOf(variables: Variables): string[] {
  const values = secretNames.flatMap((name) => variables[name]?.split(',').map((part) => part.trim()) ?? []);
  const passwords = urlNames.flatMap((name) => {
    const password = /^[a-z]+:\/\/[^:/?#@]*:([^/?#]*)@/i.exec(variables[name] ?? '')?.[1] ?? '';
    return [password, decoded(password)];
  });
  return [...values, ...passwords].filter((secret) => secret.length > 3);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the configuration refuses it
  }
}
