/**
 * What the tools of MCP and the command line call the routes and headers that an action names. HTTP shows the
 * texts as they are. This file imports nothing, because the command line has a copy.
 */
export type Door = 'tool' | 'command';
type Words = Record<Door, string>;

/** By method and path. A command takes the id of the path for `{id}`, and other braces from the query. */
export const routeWords: Record<string, Words> = {
  'GET /api/v1/catalog': { tool: 'get_catalog', command: 'atelier catalog' },
  'POST /api/v1/catalog/intent-check': { tool: 'check_intent', command: 'atelier check' },
  'GET /api/v1/plans': { tool: 'list_plans', command: 'atelier api listPlans' },
  'GET /api/v1/me': { tool: 'get_account', command: 'atelier whoami' },
  'GET /api/v1/usage': { tool: 'get_usage', command: 'atelier usage' },
  'GET /api/v1/jobs': { tool: 'list_jobs', command: 'atelier jobs' },
  'POST /api/v1/jobs': { tool: 'create_job', command: 'atelier create' },
  'POST /api/v1/jobs/preflight': { tool: 'preflight_job', command: 'atelier preflight' },
  'GET /api/v1/jobs/{id}': { tool: 'get_job', command: 'atelier job {id}' },
  'PATCH /api/v1/jobs/{id}': { tool: 'update_job', command: 'atelier update {id}' },
  'GET /api/v1/events': { tool: 'wait_for_events', command: 'atelier watch {job_id}' },
  'GET /api/v1/jobs/{id}/messages': { tool: 'list_messages', command: 'atelier messages {id}' },
  'POST /api/v1/jobs/{id}/messages': { tool: 'send_message', command: 'atelier message {id}' },
  'POST /api/v1/jobs/{id}/approve': { tool: 'approve_job', command: 'atelier approve {id}' },
  'POST /api/v1/jobs/{id}/revision': { tool: 'request_revision', command: 'atelier revise {id}' },
  'POST /api/v1/jobs/{id}/cancel': { tool: 'cancel_job', command: 'atelier cancel {id}' },
  'GET /api/v1/jobs/{id}/review-links': { tool: 'the dashboard', command: 'atelier review-link list {id}' },
  'POST /api/v1/intake/sessions': { tool: 'open_intake', command: 'atelier chat' },
  'GET /api/v1/intake/sessions/{id}': { tool: 'read_intake', command: 'atelier chat --session {id}' },
  'POST /api/v1/intake/sessions/{id}/messages': { tool: 'send_intake_message', command: 'atelier chat --session {id}' },
  'POST /api/v1/intake/sessions/{id}/answers': { tool: 'answer_brief', command: 'atelier chat --session {id}' },
  'POST /api/v1/intake/sessions/{id}/confirm': { tool: 'confirm_brief', command: 'atelier chat --session {id}' },
  'POST /api/v1/files/presign': { tool: 'create_upload', command: 'atelier upload' },
  'POST /api/v1/files/text': { tool: 'create_text_file', command: 'atelier upload' },
  'POST /api/v1/files/{id}/complete': { tool: 'complete_upload', command: 'atelier upload' },
  'POST /api/v1/files/{id}/download': { tool: 'get_download', command: 'atelier download {id}' },
  'GET /api/v1/brand': { tool: 'the dashboard', command: 'atelier brand' },
  'PUT /api/v1/brand': { tool: 'the dashboard', command: 'atelier brand set' },
  'GET /api/v1/templates': { tool: 'the dashboard', command: 'atelier templates' },
  'DELETE /api/v1/templates/{id}': { tool: 'the dashboard', command: 'atelier templates delete {id}' },
};

/** Other words of HTTP, the longer ones first. They may name routes, which are translated after them. */
export const headerWords: [http: string, words: Words][] = [
  [
    'Send Authorization: Bearer with an API key or a session token.',
    { tool: 'Connect again, with an API key or by OAuth.', command: 'Run: atelier login' },
  ],
  [
    'and send the `round` of that one',
    { tool: 'and send the `round` of that one', command: 'and run the command again' },
  ],
  [
    'List your jobs, then continue from `latest`, which GET /api/v1/events returns without `after`.',
    {
      tool: 'List your jobs, then continue from `latest`, which GET /api/v1/events returns without `after`.',
      command: 'List your jobs with GET /api/v1/jobs, then follow new events with `atelier watch`.',
    },
  ],
  ['the Idempotency-Key header', { tool: 'idempotency_key', command: '--idempotency-key' }],
  ['Idempotency-Key', { tool: 'idempotency_key', command: '--idempotency-key' }],
  ['the seconds in Retry-After', { tool: 'a few seconds', command: 'a few seconds' }],
];

const named = /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w./{}-]*[\w}])(?:\?([^\s)]*[^\s),.;]))?/g;
const ids = /\/((?:[a-z]+)_[a-z0-9]{26}|\{\w+\})(?=\/|$)/g;

/** What a tool calls an id, by the prefix of the id. */
const idFields: Record<string, string> = { job: 'job_id', file: 'file_id', ise: 'session_id' };

/** An action in the words of a door. `otherwise` names a route that has no words of its own here. */
export function inDoorWords(door: Door, text: string, otherwise: (method: string, path: string) => string): string {
  const words = headerWords.reduce((changed, [http, words]) => changed.replaceAll(http, words[door]), text);
  const routes = words.replace(named, (_, method: string, path: string, query = '') => {
    const words = routeWords[`${method} ${path.replace(ids, '/{id}')}`];
    if (words === undefined) return otherwise(method, path);
    const [id = ''] = [...path.matchAll(ids)].flatMap(([, id = '']) => (id.startsWith('{') ? [] : [id]));
    return door === 'tool' ? toolCall(words.tool, id, query) : commandLine(words.command, id, query);
  });
  return routes
    .replaceAll('with the dashboard', 'in the dashboard')
    .replaceAll('Read the dashboard', 'Look at the dashboard');
}

function toolCall(tool: string, id: string, query: string): string {
  const field = idFields[id.slice(0, id.indexOf('_'))];
  const values = [...(field ? [`${field}=${id}`] : []), ...query.split('&').filter(Boolean)];
  return values.length > 0 ? `${tool} (${values.join(', ')})` : tool;
}

function commandLine(command: string, id: string, query: string): string {
  const values = new URLSearchParams(query);
  const filled = command.replace(
    /\{(\w+)\}/g,
    (_, name: string) => values.get(name) ?? (name === 'id' && id ? id : `<${name}>`),
  );
  return `\`${filled}\``;
}
