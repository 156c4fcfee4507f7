import type { Reporter, TestCase } from 'vitest/node';

/** Names each test that failed first and passed when it was tried again, with its first error. */
export default class FlakyTests implements Reporter {
  readonly #flaky: TestCase[] = [];

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky) this.#flaky.push(test);
  }

  onTestRunEnd() {
    for (const test of this.#flaky) {
      console.log(`flaky: ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const { stack, message } of test.result().errors ?? []) console.log(stack ?? message);
    }
    if (this.#flaky.length > 0) console.log(`${this.#flaky.length} flaky`);
  }
}
