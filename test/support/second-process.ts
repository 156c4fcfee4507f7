import pino from 'pino';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';

/**
 * Another operating-system process on a database that a test has open, with the test's environment: it prints its URL
 * and serves until its standard input ends, so that it never outlives the test.
 */
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const context = await createContext(config, config.databaseUrl ?? '', 'http://localhost:3000', log);
const app = await createApp(context);
process.stdout.write(`${await app.listen({ host: config.host, port: config.port })}\n`);
process.stdin.resume().on('end', () => {
  void app.close().then(() => context.close());
});
