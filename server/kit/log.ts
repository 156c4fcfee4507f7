import pino, { type Logger } from 'pino';

/** Type, code, words and stack of an error. Its other fields can hold rows, connections and secrets, so they stay out. */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'something that is not an error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: showError(error.cause) };
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}

const secrets = ['authorization', 'cookie', 'password', 'token', 'plaintext_key', 'lease_token', 'csrf_token'];

/** One JSON line an entry. What could carry a secret is cut out wherever it stands, should a line ever hold it. */
export const openLog = (level: string, to?: pino.DestinationStream): Logger =>
  pino(
    {
      level,
      serializers: { err: showError },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
    },
    to ?? pino.destination({ dest: 1, sync: false }),
  );
