import pino from 'pino';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';

/** Delivers webhooks from the test's database until its standard input ends or it is killed. */
const config = readConfig({ PUBLIC_URL: 'http://localhost:3000', ...process.env });
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const context = await createContext(config, config.databaseUrl ?? '', log);
const engine = new DeliveryEngine(context);
process.stdout.write('delivering\n');
process.stdin.resume().on('end', () => {
  void engine.stop().then(() => context.close());
});
