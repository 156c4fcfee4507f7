import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with its slowest test files, in seconds with their imports and their services. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]) {
    const lines = files
      .map((file) => ({ name: file.relativeModuleId, seconds: secondsOf(file) }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, 20)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
    if (files.length > 1) console.log(`\nThe slowest of ${files.length} files:\n${lines.join('\n')}`);
  }
}

function secondsOf(file: TestModule): number {
  const { setupDuration, collectDuration, duration } = file.diagnostic();
  return (setupDuration + collectDuration + duration) / 1000;
}
