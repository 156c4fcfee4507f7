import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pages } from '../../web/build/fingerprint.ts';
import { roll } from './figures/f10-rolling-restarts.ts';
import { freePort, openFolder, removeFolder, root } from './process.ts';
import { until } from './figure.ts';

vi.setConfig({ testTimeout: 300_000 });

const deploy = join(root, 'deploy');

/** `changes` take TLS out of the file in `deploy/`, and name the port and the two processes. */
type Proxy = {
  file: string;
  command: (file: string) => string[];
  changes: (port: number, first: string, second: string) => [string, string][];
};

const proxies: Record<string, Proxy> = {
  HAProxy: {
    file: 'haproxy.cfg',
    command: (file) => ['haproxy', '-db', '-f', file],
    changes: (port, first, second) => [
      ['  bind :80\n', ''],
      ['bind :443 ssl crt /etc/ssl/atelier-bundle.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
      ['  http-request redirect scheme https code 308 unless { ssl_fc }\n', ''],
      ['/etc/haproxy', deploy],
      ['127.0.0.1:3000', first],
      ['127.0.0.1:3001', second],
    ],
  },
  Caddy: {
    file: 'Caddyfile',
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    changes: (port, first, second) => [
      ['{$ATELIER_HOST:atelier.example.com} {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
      ['{$ATELIER_PROCESSES:127.0.0.1:3000 127.0.0.1:3001}', `${first} ${second}`],
    ],
  },
  nginx: {
    file: 'nginx.conf',
    command: (file) => ['/usr/sbin/nginx', '-c', file, '-e', 'stderr', '-g', 'daemon off; pid off;'],
    changes: (port, first, second) => [
      ['    listen 80;\n    return 308 https://$host$request_uri;', '    listen 127.0.0.1:1;\n    return 308 /;'],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
      ['    ssl_certificate /etc/ssl/atelier.pem;\n    ssl_certificate_key /etc/ssl/atelier.key;\n', ''],
      ['127.0.0.1:3000', first],
      ['127.0.0.1:3001', second],
    ],
  },
};

async function openProxy({ file, command, changes }: Proxy, [first = '', second = '']: readonly string[]) {
  const [folder, port] = [await openFolder(), await freePort()];
  let text = readFileSync(join(deploy, file), 'utf8');
  for (const [from, to] of changes(port, new URL(first).host, new URL(second).host)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  writeFileSync(join(folder, file), text);
  const [program = '', ...args] = command(join(folder, file));
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new Error(`${program} is missing: apt-get install haproxy caddy nginx-light`, { cause });
  });
  const ended = once(child, 'exit');
  const close = () => void child.kill('SIGTERM');
  onTestFinished(async () => {
    close();
    await ended;
    await removeFolder(folder);
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`${program} serves`, () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, close };
}

const serve = ['--max-semi-space-size=8', 'deploy/serve.js'];

test.each(Object.entries(proxies))(
  'rolling restarts of `npm run serve` behind %s at 100 requests a second: none fails, none is cut off',
  async (_name, proxy) => {
    expect(pages.state(), 'the pages: npm run build').toBe('current');
    const { measured, faults } = await roll(1, { programs: [serve, serve] }, (origins) => openProxy(proxy, origins));
    expect(faults, measured).toEqual([]);
  },
);
