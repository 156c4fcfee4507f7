import pTimeout from 'p-timeout';
import { deadlines } from '../lib/deadlines.ts';
import { type Finding, ok } from './run-checks.ts';

export async function checkRedis(redisUrl: string | null): Promise<Finding> {
  if (redisUrl === null) return ok('There is no Redis: each process counts rates for itself.');
  const { createClient } = await import('redis');
  const { connect, ping } = deadlines.redis;
  const client = createClient({ url: redisUrl, socket: { connectTimeout: connect, reconnectStrategy: false } });
  client.on('error', () => {}); // `connect` rejects with it
  try {
    await pTimeout(client.connect(), { milliseconds: connect + ping, message: 'Redis does not answer' });
    await pTimeout(client.ping(), { milliseconds: ping, message: 'Redis does not answer' });
  } finally {
    client.destroy();
  }
  return ok('Redis answers.');
}
