import { type ChildProcess, spawn } from 'node:child_process';

/** Starts Redis on this port; rejects if redis-server is not installed. */
export async function startRedis(port: number): Promise<ChildProcess> {
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (words: Buffer) => words.includes('Ready to accept connections') && resolve());
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  return server;
}
