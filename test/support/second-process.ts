import pino from 'pino';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';
import { patience } from './patience.ts';

/**
 * A second process of the service on the test's database and environment. It prints its URL and serves until
 * its standard input ends, so it cannot outlive the test.
 */
const config = readConfig({ PUBLIC_URL: 'http://localhost:3000', ...process.env });
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const context = await createContext(config, config.databaseUrl ?? '', log, patience);
context.answerWithin = patience.answer;
const app = await createApp(context);
process.stdout.write(`${await app.listen({ host: config.host, port: config.port })}\n`);
process.stdin.resume().on('end', () => {
  void app.close().then(() => context.close());
});
