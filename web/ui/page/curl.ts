/** For single quotes in a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

type Request = {
  method?: string;
  path: string;
  body?: object;
  idempotencyKey?: string;
  /** The environment variable with an API key or a session token. */
  credential?: 'ATELIER_KEY' | 'ATELIER_TOKEN';
};

/** The request as a command. The key comes from the environment, so it is never displayed. */
export function curl({ method, path, body, idempotencyKey, credential = 'ATELIER_KEY' }: Request): string {
  const commandLines = [
    `curl -sS ${method ? `-X ${method} ` : ''}${quoted(location.origin + path)}`,
    `  -H "Authorization: Bearer $${credential}"`,
    ...(idempotencyKey ? [`  -H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    ...(body ? [`  --json ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ];
  return commandLines.join(' \\\n');
}
