import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The public conformance package. */
export const packageFolder = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/', import.meta.url),
);

export type Check = {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  details?: { untestable?: boolean };
};

/** Runs it, and returns the checks that it wrote down, by scenario. `onOutput` gets what it prints. */
export async function runPackage(args: string[], onOutput?: (text: string) => void): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-conformance-'));
  const command = [join(packageFolder, 'dist/index.js'), ...args, '--output-dir', folder];
  const run = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  run.stdout.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
  await once(run, 'close');
  const checks = readdirSync(folder).map((name): [string, Check[]] => [
    /^(?:authorization-)?server-(.+?)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1] ?? name,
    JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
  ]);
  rmSync(folder, { recursive: true });
  return new Map(checks);
}

export const isFailed = (checks: Check[]) => checks.some(({ status }) => status === 'FAILURE');

/** Scenarios of which no check failed and at least one was made: where nothing ran, nothing passed. */
export const passedOf = (results: Map<string, Check[]>): string[] =>
  [...results].flatMap(([name, checks]) =>
    !isFailed(checks) && checks.some(({ status }) => status === 'SUCCESS') ? [name] : [],
  );
