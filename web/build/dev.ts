import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'vite';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { readConfig } from '../../server/start/config.ts';

/** The service behind Vite. The embedded Postgres belongs to this process and survives restarts. */
const port = Number(process.env.PORT ?? 3000);
const servicePort = port + 1;
const url = `http://127.0.0.1:${port}`;
process.env.ATELIER_ORIGIN = `http://127.0.0.1:${servicePort}`;

const { promise: stopping, resolve: stop } = Promise.withResolvers<NodeJS.Signals>();
process.on('SIGINT', stop).on('SIGTERM', stop);

function startService(databaseUrl: string) {
  const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    stdio: 'inherit',
    // Links and the Origin check use the browser's address.
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(servicePort), PUBLIC_URL: url },
  });
  return { service, ended: once(service, 'exit') };
}

const { databaseUrl, dataDir } = readConfig(process.env);
const postgres: EmbeddedPostgres | null =
  databaseUrl === null ? await startEmbeddedPostgres(dataDir, console.log) : null;
try {
  const vite = await createServer({ configFile: 'web/build/vite.config.ts', server: { port, host: '127.0.0.1' } });
  await vite.listen();
  // Vite's own listener would exit before the service and Postgres have stopped.
  process.removeAllListeners('SIGTERM').on('SIGTERM', stop);
  vite.printUrls();
  const { service, ended } = startService(postgres?.url ?? databaseUrl ?? '');
  const signal = await Promise.race([stopping, ended.then(() => null)]);
  if (signal) service.kill(signal);
  await Promise.all([ended, vite.close()]);
} finally {
  await postgres?.stop();
}
process.exit();
