import { Atelier, verifyWebhook } from '../client/atelier.ts';

type Env = { URL: string; TOKEN: string; SECRET: string };

const steps: Record<string, (atelier: Atelier, env: Env, request: Request) => Promise<unknown>> = {
  '/me': async (atelier) => (await atelier.readMe()).auth.method,
  '/upload': (atelier) => atelier.uploadFile(new File(['Dark green and cream.'], 'colours.txt')),
  '/path': (atelier) => atelier.uploadFile('colours.txt'),
  '/event': async (atelier) => {
    for await (const { type } of atelier.events({ after: 0 })) if (type === 'job.created') return type;
    return null;
  },
  '/webhook': async (_, { SECRET }, request) => (await verifyWebhook(request.headers, await request.text(), SECRET)).id,
  '/nobody': () => new Atelier({ url: 'http://127.0.0.1:9', retries: 0 }).readCatalog(),
};

/** What a program in Workers does, a step for each path. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const step = steps[new URL(request.url).pathname];
    try {
      return Response.json(await step?.(new Atelier({ url: env.URL, token: env.TOKEN, retries: 0 }), env, request));
    } catch (error) {
      const { name, message, code } = error as Error & { code?: string };
      return Response.json({ name, message, code }, { status: 500 });
    }
  },
};
