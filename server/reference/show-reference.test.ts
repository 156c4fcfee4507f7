import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { end } from '../../test/faults/faulty-service.ts';
import { freePort, openFolder, removeFolder, run } from '../../test/faults/process.ts';

test('200: /docs/ as the very first request after a start', { timeout: 90_000 }, async () => {
  const [folder, port] = [await openFolder(), await freePort()];
  const service = run({ DATA_DIR: folder, PORT: String(port) });
  onTestFinished(async () => {
    await end(service, 'SIGTERM');
    await removeFolder(folder);
  });
  const ask = () => fetch(`http://127.0.0.1:${port}/docs/`).catch(() => null);
  let answer = await ask();
  for (; !answer && service.child.exitCode === null; answer = await ask()) await wait(5);
  expect(answer?.status, service.said()).toBe(200);
  expect(await answer?.text()).toContain('</html>');
});
