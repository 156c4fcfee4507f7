import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './figure.ts';
import { root } from './process.ts';

type Report = {
  numTotalTests: number;
  numPassedTests: number;
  testResults: { name: string; message: string; assertionResults: Assertion[] }[];
};
type Assertion = { fullName: string; status: string; failureMessages: string[] };

type Terms = { only?: string; env?: Record<string, string> };

/** Runs tests of vitest, in their long form. `only`: those with this in their title. */
export async function runCases(files: readonly string[], { only, env = {} }: Terms = {}): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-cases-'));
  const report = join(folder, 'report.json');
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [...command, ...(only === undefined ? [] : ['-t', only])], {
    cwd: root,
    env: { ...process.env, FAULTS: 'long', ...env },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  await rm(folder, { recursive: true });
  const assertions = testResults.flatMap(({ assertionResults }) => assertionResults);
  const ran = assertions.filter(({ status }) => status === 'passed' || status === 'failed');
  const failed = assertions.filter(({ status }) => status === 'failed');
  // A file that cannot begin proves nothing, least of all in a control.
  const broken = testResults.filter(({ message }) => message !== '').map(({ name, message }) => `${name}: ${message}`);
  if (broken.length > 0 || ran.length === 0) throw new Error(`Tests did not run. ${broken.join('\n')}`);
  return {
    measured: `${ran.length - failed.length} of ${ran.length} tests passed`,
    faults: failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0] ?? ''}`),
  };
}
