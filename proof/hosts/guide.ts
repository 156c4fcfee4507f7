import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// npx would fetch what is missing.
if (!existsSync(join(import.meta.dirname, 'node_modules/.package-lock.json')))
  throw new Error('Run `npm ci --prefix proof/hosts` first.');

/** The chapter Connect as the service shows it. */
export async function readChapter(url: string): Promise<string> {
  return (await fetch(`${url}/docs/connect.md`)).text();
}

/** What a person copies out of the section of a host, in the order of the chapter. */
export function blocksOf(chapter: string, host: string, language: 'json' | 'js' | 'sh'): string[] {
  const section = chapter.split(/^##+ /m).find((each) => each.startsWith(`${host}\n`)) ?? '';
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, code = '']) =>
    of === language ? [code] : [],
  );
}

/** The program of a section, where it finds the packages of this folder. `from` may change their names. */
export async function importBlock(
  chapter: string,
  host: string,
  from = (program: string) => program,
): Promise<unknown> {
  const folder = join(import.meta.dirname, 'node_modules/.guide');
  mkdirSync(folder, { recursive: true });
  const program = from(blocksOf(chapter, host, 'js').join('\n'));
  const file = join(folder, `${createHash('sha256').update(program).digest('hex')}.mjs`);
  writeFileSync(file, program);
  return import(pathToFileURL(file).href);
}
