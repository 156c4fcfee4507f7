import type { AtelierError } from '../error.ts';
import { inDoorWords } from '../generated/door-words.ts';
import { operationAt } from './api.ts';
import type { Io } from './command.ts';
import { proxyHint } from './proxy.ts';

/** A text of the API with commands in the place of its routes and headers. */
export const inCommands = (text: string): string =>
  inDoorWords('command', String(text), (method, path) => {
    const call = operationAt(method, path);
    return call ? `\`atelier api ${call}\`` : `${method} ${path}`;
  });

/** What to do about an error, for somebody at a command line. */
export function actionOf({ env }: Io, { code, status, action }: AtelierError): string {
  if (code === 'unauthenticated')
    return env['ATELIER_KEY'] === undefined
      ? 'Run: atelier login'
      : 'Set ATELIER_KEY to a key that works, or unset it and run: atelier login';
  const hint = code === 'unreachable' && status === 0 ? proxyHint(env) : null;
  return hint === null ? inCommands(action) : `${action} ${hint}`;
}
