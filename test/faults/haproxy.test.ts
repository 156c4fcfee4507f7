import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { builtPages } from '../../web/build/fingerprint.ts';
import { roll } from './figures/f10-rolling-restarts.ts';
import { freePort, openFolder, removeFolder, root } from './process.ts';
import { until } from './figure.ts';

vi.setConfig({ testTimeout: 300_000 });

const deploy = join(root, 'deploy');

/** HAProxy with the file of `deploy/`, but for TLS, in front of two processes. */
async function openHaproxy([first = '', second = '']: readonly string[]) {
  const [folder, port] = [await openFolder(), await freePort()];
  const changes: [string, string][] = [
    ['  bind :80\n', ''],
    ['bind :443 ssl crt /etc/ssl/atelier-bundle.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
    ['  http-request redirect scheme https code 308 unless { ssl_fc }\n', ''],
    ['/etc/haproxy', deploy],
    ['127.0.0.1:3000', new URL(first).host],
    ['127.0.0.1:3001', new URL(second).host],
  ];
  let text = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  writeFileSync(join(folder, 'haproxy.cfg'), text);
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new Error('HAProxy is missing: apt-get install haproxy', { cause });
  });
  const url = `http://127.0.0.1:${port}`;
  await until('HAProxy serves', () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    close() {
      child.kill('SIGKILL');
      void removeFolder(folder);
    },
  };
}

test('rolling restarts of `npm run serve` behind HAProxy at 100 requests a second: none fails, none is cut off', async () => {
  expect(builtPages(), 'the pages: npm run build').toBe('current');
  const serve = ['--max-semi-space-size=8', 'deploy/serve.js'];
  const { measured, faults } = await roll(1, { programs: [serve, serve] }, openHaproxy);
  expect(faults, measured).toEqual([]);
});
