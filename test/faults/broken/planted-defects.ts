import { setTimeout as wait } from 'node:timers/promises';
import { serveBroken } from './serve.ts';

/** Fields that are dropped without a word from whatever has them. */
const dropped = ['account_id', 'status', 'id', 'constructor', 'toString', 'x/y', ''];

let looks = 0;

/** One defect of each kind that generated requests must find. */
await serveBroken({
  // Its own deadline would answer first.
  context: (context) => void (context.answerWithin = 600_000),
  app(app) {
    app.addHook('onRequest', async ({ method, url }, reply) => {
      const [path = ''] = url.split('?');
      if (method !== 'GET') return;
      // Nothing was found, whatever was asked and whoever asked.
      if (path === '/api/v1/jobs') await reply.send({ jobs: [], next_cursor: null });
      if (path === '/api/v1/plans') await reply.code(500).send({ error: { code: 'internal_error' } });
      if (path === '/api/v1/catalog') await reply.code(418).send({ tea: true });
      if (path === '/healthz') await reply.send({ status: 'ok', uptime: 1 });
    });
    app.addHook('onSend', async ({ url }) => {
      if (url === '/readyz' && looks++ % 20 === 0) await wait(Number(process.env.SLOW_MS));
    });
    app.addHook('preHandler', async (request) => {
      if (typeof request.body !== 'object' || request.body === null) return;
      const body = request.body as Record<string, unknown>;
      for (const name of dropped) delete body[name];
    });
  },
});
