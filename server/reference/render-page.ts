import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { workerData } from 'node:worker_threads';
import { tell } from '../lib/thread.ts';

export type Page = { html: string; script: Uint8Array };

tell({ loaded: true });
const app = fastify();
await app.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    pageTitle: `${String(workerData)} API`,
    url: '/docs/reference.json',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    // These features run at the vendor, not here.
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
const [{ body: html }, { rawPayload: script }] = [await app.inject('/docs/'), await app.inject('/docs/js/scalar.js')];
tell({ answer: { html, script } satisfies Page });
