import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Plugin } from 'vite';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { isOtherName } from '../../server/lib/loopback.ts';
import { listeningUrl, readConfig } from '../../server/start/config.ts';

/** The service behind Vite. The embedded Postgres belongs to this process and survives restarts. */
const port = Number(process.env.PORT ?? 3000);
const servicePort = port + 1;
process.env.ATELIER_ORIGIN = `http://127.0.0.1:${servicePort}`;

/** As in the service. */
const oneName: Plugin = {
  name: 'one-loopback-name',
  enforce: 'pre',
  configureServer(server) {
    server.middlewares.use(({ headers, url: path = '/' }, response, next) => {
      const isPage = headers.accept?.includes('text/html') ?? false;
      if (isPage && isOtherName(url, headers.host)) response.writeHead(307, { location: url + path }).end();
      else next();
    });
  },
};

const { promise: stopping, resolve: stop } = Promise.withResolvers<NodeJS.Signals>();
process.on('SIGINT', stop).on('SIGTERM', stop);

function startService(databaseUrl: string) {
  const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    stdio: 'inherit',
    // Links and the Origin check use the browser's address.
    env: { LOG_LEVEL: 'info', ...process.env, DATABASE_URL: databaseUrl, PORT: String(servicePort) },
  });
  return { service, ended: once(service, 'exit') };
}

const url = listeningUrl('127.0.0.1', port);
process.env.PUBLIC_URL = url;
const { databaseUrl, dataDir } = readConfig(process.env);
const postgres: EmbeddedPostgres | null =
  databaseUrl === null ? await startEmbeddedPostgres(dataDir, console.log) : null;
try {
  const server = { port, host: '127.0.0.1' };
  const vite = await createServer({ configFile: 'web/build/vite.config.ts', server, plugins: [oneName] });
  await vite.listen();
  // Vite's own listener would exit before the service and Postgres have stopped.
  process.removeAllListeners('SIGTERM').on('SIGTERM', stop);
  console.log(`The pages are at ${url}`);
  const { service, ended } = startService(postgres?.url ?? databaseUrl ?? '');
  const signal = await Promise.race([stopping, ended.then(() => null)]);
  if (signal) service.kill(signal);
  await Promise.all([ended, vite.close()]);
} finally {
  await postgres?.stop();
}
process.exit();
