import type { FastifyInstance } from 'fastify';
import { createApp } from '../../../server/app.ts';
import { createLog } from '../../../server/lib/log.ts';
import { readConfig } from '../../../server/start/config.ts';
import { type Context, createContext } from '../../../server/start/context.ts';

type Damage = { context?: (context: Context) => void; app?: (app: FastifyInstance, context: Context) => void };

/** Serves the product with a part of it broken on purpose, until it is killed: what a figure must find. Prints its URL. */
export async function serveBroken(damage: Damage): Promise<void> {
  const config = readConfig({ PUBLIC_URL: 'http://localhost:3000', ...process.env });
  const log = createLog(config.logLevel);
  const context = await createContext(config, config.databaseUrl ?? '', log);
  damage.context?.(context);
  const app = await createApp(context);
  damage.app?.(app, context);
  process.stdout.write(`${await app.listen({ host: config.host, port: config.port })}\n`);
}
