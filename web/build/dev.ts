import { spawn } from 'node:child_process';
import { createServer } from 'vite';

/** The service, started again at each change, behind Vite, which serves the pages with hot reload. */
const port = Number(process.env.PORT ?? 3000);
const servicePort = port + 1;
const url = `http://127.0.0.1:${port}`;
process.env.ATELIER_ORIGIN = `http://127.0.0.1:${servicePort}`;

const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  stdio: 'inherit',
  // Links and the check of Origin go by the address that the browser sees.
  env: { ...process.env, PORT: String(servicePort), PUBLIC_URL: url },
});
const vite = await createServer({ configFile: 'web/build/vite.config.ts', server: { port, host: '127.0.0.1' } });
await vite.listen();
vite.printUrls();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    service.kill(signal);
    void vite.close();
  });
service.on('exit', () => void vite.close().then(() => process.exit()));
