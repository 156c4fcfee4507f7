import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { parentPort, workerData } from 'node:worker_threads';

export type Page = { html: string; script: Uint8Array };

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
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage({ answer: { html, script } satisfies Page });
