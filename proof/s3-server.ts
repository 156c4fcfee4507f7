import { createServer } from 'node:http';
// @ts-expect-error the package has no types
import s3rver from '@20minutes/s3rver';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * An S3 server that checks signatures. It is a separate process, so that a test can stop or freeze it. Its
 * argument is the folder; it prints `ready <port>`. The keys are S3RVER and S3RVER, the bucket is `atelier`.
 */
type App = {
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
};
// s3rver 5 rebuilds the signed query with encodeURIComponent, which does not encode five characters that
// SigV4 does.
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
  // It also drops the slash after the bucket name, so no signature of a list request would be right.
  if (request.url?.startsWith('/atelier/?')) delete request.headers.authorization;
  answer(request, response);
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === 'object' && address ? address.port : 0}\n`);
});
