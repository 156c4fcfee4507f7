import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../test/faults/process.ts';

/** `npm run test:redis`: the tests of rates against the Redis of REDIS_URL, or one of its own that goes away with it. */

async function startRedis(port: number): Promise<ChildProcess> {
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  const ready = new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (words: Buffer) => words.includes('Ready to accept connections') && resolve());
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  await ready.catch((error: Error) => {
    process.stderr.write(
      `There is no Redis to test with. Set REDIS_URL, or install redis-server (${error.message}).\n`,
    );
    process.exit(1);
  });
  return server;
}

const port = await freePort();
const server = process.env.REDIS_URL ? null : await startRedis(port);
const env = { ...process.env, REDIS_URL: process.env.REDIS_URL || `redis://127.0.0.1:${port}` };
const { status } = spawnSync('vitest', ['run', 'test/redis', 'test/journeys/rates.test.ts'], { env, stdio: 'inherit' });
if (server) {
  server.kill();
  await once(server, 'exit');
}
process.exitCode = status ?? 1;
