import type { IncomingMessage } from 'node:http';
import { serveBroken } from './serve.ts';

/** Takes no notice of an Idempotency-Key, or of an event that it has had. */
await serveBroken({
  app: (app) =>
    app.server.prependListener('request', ({ rawHeaders }: IncomingMessage) => {
      const at = rawHeaders.findIndex((name) => name.toLowerCase() === 'idempotency-key');
      if (at >= 0) rawHeaders.splice(at, 2);
    }),
});
