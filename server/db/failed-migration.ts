import { wordsOf } from './servers.ts';

/** Names the line of the statement in its file, and how it begins. */
export class FailedMigration extends Error {
  constructor(name: string, text: string, statement: string, cause: unknown) {
    const { position = '1' } = Object(cause) as { position?: string };
    const [words, start] = [statement.replace(/^(?:\s|--.*\n)+/, ''), text.indexOf(statement)];
    const at = Math.max(start + statement.length - words.length, start + Number(position) - 1);
    const line = text.slice(0, at).split('\n').length;
    const begins = words.replaceAll(/\s+/g, ' ').slice(0, 200);
    super(`${name}.sql failed in line ${line}: ${wordsOf(cause)}. The statement: ${begins}`, { cause });
  }
}
