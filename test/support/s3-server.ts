import { createServer } from 'node:http';
// @ts-expect-error the package has no types
import s3rver from '@20minutes/s3rver';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * An S3 server that checks signatures, as a process of its own so that a test can stop or freeze it: the folder is its
 * argument, `ready <port>` its first line. Keys S3RVER / S3RVER, bucket `atelier`.
 */
type App = {
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
};
// s3rver 5 rebuilds the signed query with encodeURIComponent, which leaves alone five characters that SigV4 encodes.
const plain = globalThis.encodeURIComponent;
globalThis.encodeURIComponent = (text) =>
  plain(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

process.stdin.resume().on('end', () => process.exit()); // it ends with whoever started it

const app = new (s3rver as new (options: object) => App)({
  directory: process.argv[2],
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: 'atelier' }],
});
await app.configureBuckets();
const answer = app.callback();
const server = createServer((request, response) => {
  // It also drops the slash behind a bucket from what it verifies, so listing a bucket could never be signed right.
  if (request.url?.startsWith('/atelier/?')) delete request.headers.authorization;
  answer(request, response);
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === 'object' && address ? address.port : 0}\n`);
});
