import { serveBroken } from './serve.ts';

/** Logs a header of each request. */
await serveBroken({
  app: (app, { log }) =>
    app.addHook('onRequest', async ({ headers }) => log.info({ header: headers.authorization }, 'a request')),
});
