import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with its slowest files. `.ci/steps` names a file instead, for one table of all its runs. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]) {
    const slowest = files
      .map((file) => ({ name: file.relativeModuleId, seconds: secondsOf(file) }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, 20);
    const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`).join('');
    if (process.env.FILE_SECONDS) appendFileSync(process.env.FILE_SECONDS, lines);
    else if (files.length > 1) process.stdout.write(`\nThe slowest of ${files.length} files:\n${lines}`);
  }
}

/** With imports and hooks. */
function secondsOf(file: TestModule): number {
  const { setupDuration, collectDuration, duration } = file.diagnostic();
  return (setupDuration + collectDuration + duration) / 1000;
}
