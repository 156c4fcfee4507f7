import { errorsOf } from '../contract/endpoint.ts';
import { type ErrorCode, errors } from '../contract/errors.ts';
import { endpoints } from '../contract/openapi.ts';
import { AtelierError } from '../client/error.ts';
import { exitCodeOf } from '../client/cli/command.ts';
import { inCommands } from '../client/cli/words.ts';

export const skillFile = 'client/skills/atelier/SKILL.md';

/** Codes that only browsers and sessions meet, or that no tool or command can cause. */
const notOfKeys: ErrorCode[] = [
  ...(['account_changed', 'csrf_token_invalid', 'email_unverified', 'no_active_account'] as const),
  ...(['body_too_large', 'unsupported_media_type', 'idempotency_key_not_accepted'] as const),
];

/** The errors that an agent with a key can get, the exit code of `atelier`, and what to do. */
function errorTable(): string {
  const exits = new Map<ErrorCode, Set<number>>();
  for (const endpoint of endpoints.filter(({ tool }) => tool))
    for (const [status, codes] of Object.entries(errorsOf(endpoint)))
      for (const code of codes)
        exits.set(code, (exits.get(code) ?? new Set()).add(exitCodeOf(new AtelierError(Number(status), { code }))));
  const rows = (Object.keys(errors) as ErrorCode[])
    .filter((code) => exits.has(code) && !notOfKeys.includes(code))
    .map(
      (code) =>
        `| \`${code}\` | ${[...(exits.get(code) ?? [])].toSorted().join(' or ')} | ${inCommands(errors[code].action)} |`,
    );
  return ['| code | exit | what to do |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Replaces the last section of the skill with the errors of the contract. */
export const withErrors = (skill: string): string =>
  `${skill.slice(0, skill.indexOf('\n## Errors\n'))}
## Errors

An error has a \`code\`, a \`message\` and an \`action\`, over MCP in the text of a result with \`isError\`. Do what the action says; tell
your user where it needs a person. Repeat a call unchanged only after \`rate_limit_exceeded\`, \`service_unavailable\` or a time-out.

${errorTable()}
`;
