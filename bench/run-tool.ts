import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const packages = { wrk: 'wrk', pgbench: 'postgresql-contrib' };
export type Tool = keyof typeof packages;

export async function runTool(tool: Tool, options: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run(tool, options, { env: { PATH: process.env.PATH, ...env }, maxBuffer: 2 ** 26 });
  return stdout;
}

/** Throws with installation instructions if the tool is missing. */
export async function versionOf(tool: Tool): Promise<string> {
  const options = { wrk: ['-v'], pgbench: ['--version'] }[tool];
  // wrk prints its version with exit code 1.
  const output = await run(tool, options).catch((error: { code?: unknown; stdout?: string }) => {
    if (error.code !== 'ENOENT') return { stdout: error.stdout ?? '' };
    throw new Error(`${tool} is absent. Install Debian's: apt-get install ${packages[tool]}`);
  });
  return output.stdout.split('\n')[0]?.replace(/ Copyright.*/, '') ?? '';
}
