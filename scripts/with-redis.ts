import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../test/faults/process.ts';
import { startRedis } from '../test/support/redis.ts';

/** `npm run test:redis` runs the tests of rates with the Redis of REDIS_URL, or with a temporary one. */

const port = await freePort();
const missing = (error: Error) => {
  process.stderr.write(`There is no Redis to test with. Set REDIS_URL, or install redis-server (${error.message}).\n`);
  process.exit(1);
};
const server = process.env.REDIS_URL ? null : await startRedis(port).catch(missing);
const env = { ...process.env, REDIS_URL: process.env.REDIS_URL || `redis://127.0.0.1:${port}` };
const { status } = spawnSync('vitest', ['run', '--project', 'redis'], { env, stdio: 'inherit' });
if (server) {
  server.kill();
  await once(server, 'exit');
}
process.exitCode = status ?? 1;
