/** Within single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

type Request = {
  method?: string;
  path: string;
  body?: object;
  idempotencyKey?: string;
  /** What the caller has in the environment: an API key, or the session token of a person. */
  credential?: 'ATELIER_KEY' | 'ATELIER_TOKEN';
};

/** The very request as a command. The key comes from the environment, so that none stands on a screen. */
export function curl({ method, path, body, idempotencyKey, credential = 'ATELIER_KEY' }: Request): string {
  const lines = [
    `curl -sS ${method ? `-X ${method} ` : ''}${quoted(location.origin + path)}`,
    `  -H "Authorization: Bearer $${credential}"`,
    ...(idempotencyKey ? [`  -H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    ...(body ? [`  --json ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ];
  return lines.join(' \\\n');
}
