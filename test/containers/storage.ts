import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
// @ts-expect-error the package has no types
import s3rver from '../../proof/node_modules/@20minutes/s3rver/lib/s3rver.js';
// @ts-expect-error the package has no types
import account from '../../proof/node_modules/@20minutes/s3rver/lib/models/account.js';

/** In place of the Versity gateway, on its port, with its variables for the key: the folders of /files as buckets. */
type App = {
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
};
const { ROOT_ACCESS_KEY, ROOT_SECRET_KEY, VGW_CORS_ALLOW_ORIGIN = '' } = process.env;
const cors = {
  'access-control-allow-origin': VGW_CORS_ALLOW_ORIGIN,
  'access-control-allow-methods': 'GET, PUT',
  'access-control-allow-headers': 'content-type, x-service-max-size',
};
account.DUMMY_ACCOUNT.createKeyPair(ROOT_ACCESS_KEY, ROOT_SECRET_KEY);
const plain = globalThis.encodeURIComponent;
globalThis.encodeURIComponent = (text) =>
  plain(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const app = new (s3rver as new (options: object) => App)({
  directory: '/files',
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: 'atelier' }],
});
await app.configureBuckets();
const answer = app.callback();
createServer((request, response) => {
  if (request.url === '/health') return void response.end();
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
  // It drops the slash after the bucket's name, so no signature of a list request would be right.
  if (request.url?.startsWith('/atelier/?')) delete request.headers.authorization;
  answer(request, response);
}).listen(7070);
process.once('SIGINT', () => process.exit());
