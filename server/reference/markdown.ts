import { type Audience, isFor } from '../../contract/document/audiences.ts';
import { deprecationNotice } from '../../contract/deprecation.ts';
import { exampleOf } from '../../contract/document/examples.ts';
import { endpoints } from '../../contract/openapi.ts';
import { webhookRequest } from '../../contract/developer/webhook-request.ts';
import { bodyStatus, type Endpoint, scopeOf, errorsOf } from '../../contract/endpoint.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import type { Chapter } from './guide.ts';
import { fields, phrase, type Schema } from './schema-phrase.ts';

function who(endpoint: Endpoint): string {
  if (endpoint.auth === 'public') return 'No credentials.';
  if (endpoint.auth === 'caller') return `API key with \`${scopeOf(endpoint)}\`, or session.`;
  const needs = {
    visitor: 'No credentials, or a session.',
    person: 'Session.',
    manager: 'Session of an owner or admin.',
    operator: 'Session of an operator.',
    desk: 'Session of an operator, or worker key.',
    guest: 'Token of a review link, as `Authorization: Review <token>`.',
  };
  return needs[endpoint.auth];
}

function operation(endpoint: Endpoint): string {
  const answers = Object.entries(endpoint.answers).map(
    ([status, { description, schema, stream = schema }]) =>
      `- ${status}: ${description}${stream ? ` \`${phrase(stream as Schema)}\`` : ''}`,
  );
  const refusals = Object.entries(errorsOf(endpoint)).map(
    ([status, codes]) => `- ${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  );
  return [
    `### ${endpoint.summary}`,
    '',
    `\`${endpoint.method} ${endpoint.path}\` (${endpoint.operationId}). ${who(endpoint)}${endpoint.idempotent ? ' Takes an `Idempotency-Key`.' : ''}`,
    '',
    ...(endpoint.deprecated ? [deprecationNotice(endpoint.deprecated), ''] : []),
    ...(endpoint.description ? [endpoint.description, ''] : []),
    ...Object.entries(endpoint.headers ?? {}).map(([name, { description }]) => `Header \`${name}\`: ${description}\n`),
    ...fields('Query', endpoint.query),
    ...fields(`Body (wrong: ${bodyStatus(endpoint)})`, endpoint.body),
    ...(endpoint.body ? [`Example: \`${JSON.stringify(exampleOf(endpoint.body))}\``, ''] : []),
    'Answers:',
    '',
    ...answers,
    ...refusals,
  ].join('\n');
}

const webhook = webhookRequest((schema) => schema).event.post;

/** The webhook request that the service sends, described like its own operations. */
function webhookOperation(): string {
  const { summary, operationId, description, parameters, requestBody, responses } = webhook;
  return [
    `### ${summary}`,
    '',
    `\`POST\` to the \`url\` of each webhook endpoint (${operationId}). Sent by the service; signed.`,
    '',
    description,
    '',
    ...parameters.map(({ name, description }) => `Header \`${name}\`: ${description}\n`),
    `Body: \`${phrase(requestBody.content['application/json'].schema as Schema)}\``,
    '',
    'What your server may answer:',
    '',
    ...Object.entries(responses).map(
      ([status, { description }]) => `- ${status === 'default' ? 'anything else' : status}: ${description}`,
    ),
  ].join('\n');
}

function shapes(listed: readonly Endpoint[], isSent: boolean): string {
  const named = new Map<string, Schema>();
  const collect = (schemaOrList: unknown): void => {
    if (typeof schemaOrList !== 'object' || schemaOrList === null) return;
    const { $id } = schemaOrList as Schema;
    if ($id && !named.has($id)) named.set($id, schemaOrList);
    for (const inner of Object.values(schemaOrList)) collect(inner);
  };
  for (const { body, answers } of listed) collect([body, answers]);
  if (isSent) collect(webhook.requestBody);
  return [...named]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const values = schema.enum
        ? [`One of ${schema.enum.map((value) => `\`${String(value)}\``).join(', ')}.`, '']
        : [];
      return [`### ${name}`, '', schema.description ?? '', '', ...values, ...fields('Fields', schema)]
        .join('\n')
        .trim();
    })
    .join('\n\n');
}

/** Begins below the title, which has the name of the studio. */
export function asMarkdown(guide: Chapter[], serverUrl: string, audience?: Audience): string {
  const listed = endpoints.filter((endpoint) => !audience || isFor(audience, endpoint));
  const tags = [...new Set(listed.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const operations = listed.filter((endpoint) => endpoint.tag === tag).map(operation);
    if (webhook.tags.includes(tag)) operations.push(webhookOperation());
    return [`## ${tag}`, ...operations].join('\n\n');
  });
  const read = guide.filter(({ readers }) => !audience || readers.includes(audience));
  const chapters = read.map(({ text }) => text.replaceAll(/^#/gm, '##'));
  const scope = audience ? ` For ${audience}s; everything is at ${serverUrl}/llms-full.txt.` : '';
  const isSent = webhook.tags.some((tag) => tags.includes(tag));
  return `At ${serverUrl}.${scope}\n\n${chapters.join('\n\n')}\n\n# Operations\n\nA field with a question mark, as in \`{ note?: string }\`, may be missing.\n\n${sections.join('\n\n')}\n\n# Shapes\n\n${shapes(listed, isSent)}\n`;
}

/** An index for agents: where to read what, one line each. */
export function asIndex(guide: Chapter[], serverUrl: string, { name, tagline }: Studio): string {
  const chapters = guide.map(({ title, slug }) => `- [${title}](${serverUrl}/docs/${slug}.md)`);
  return `# ${name}
${tagline === null ? '' : `\n${tagline}\n`}
> A job fulfillment service: read the catalog, gather what it asks for, check the draft, create a job, follow it, review it.

## Start here

Over MCP: connect to ${serverUrl}/mcp (Streamable HTTP) with the header \`Authorization: Bearer <API key>\`. Over HTTP send the
same header. A person makes the key, in the dashboard or with POST /api/v1/api-keys. Hosts that cannot send a header connect to the
same address by OAuth: ${serverUrl}/docs/connect.md has the steps for each host.

1. \`get_catalog\`, GET /api/v1/catalog: choose a service, ask for what its \`intake_requirements\` want, and write each as
   \`label: answer\` into the instructions.
2. \`preflight_job\`, POST /api/v1/jobs/preflight: whether the draft could be created now, and what is missing.
3. \`create_job\`, POST /api/v1/jobs: once, with an Idempotency-Key that stays the same when you retry.

Then wait instead of polling: \`wait_for_events\` or GET /api/v1/events with \`job_id\`, \`types\` (\`job.question_asked\`,
\`job.ready_for_customer_review\`, \`job.rejected\`, \`job.canceled\`) and \`wait=25\`; \`next_action\` in the answer of \`create_job\` has it filled in. If that answers no
event, repeat it with \`after\` set to its \`next_after\`. If the studio asked a question, \`next_action\` of the job has it: let a
person answer, and send that with \`send_message\`. Once the job is \`ready_for_customer_review\`, read it (\`get_job\`), fetch
its files (\`get_download\`, with \`inline\` to see texts and pictures), and let a person decide between \`approve_job\` and \`request_revision\`. A file that
only the person has comes by \`page\` of \`create_upload\`. Decide by the \`code\` of an error; its \`action\` says what to do next.

## Guide

${chapters.join('\n')}

## Reference

- [For customers on one page](${serverUrl}/llms-full.txt?audience=customer); [everything](${serverUrl}/llms-full.txt)
- [OpenAPI 3.1 document for customers](${serverUrl}/api/v1/openapi.json?audience=customer); [of everything](${serverUrl}/api/v1/openapi.json)
- [Page for people](${serverUrl}/docs/)
- [Skill: order work step by step from a terminal](${serverUrl}/skills/atelier/SKILL.md)
- [Server card: address and protocol versions of /mcp](${serverUrl}/mcp/server-card)
- [AI Catalog of this domain](${serverUrl}/.well-known/ai-catalog.json)
`;
}
