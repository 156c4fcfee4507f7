import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { pageHtml } from './page-html.ts';
import { pdfParts } from './pdf-parts.ts';

const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
const apps = [
  { html: '/customer.html', patterns: Object.values(customerPages).map(pattern) },
  { html: '/desk.html', patterns: Object.values(deskPages).map(pattern) },
];

/** During development, page addresses lead to the app's HTML, as in the service. */
const pages: Plugin = {
  name: 'pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const path = request.url?.split('?')[0] ?? '';
      const app = apps.find(({ patterns }) => patterns.some((pattern) => pattern.test(path)));
      if (app) request.url = app.html;
      next();
    });
  },
};

const service = process.env.ATELIER_ORIGIN ?? 'http://127.0.0.1:3000';

/** What the service answers itself. Narrower than `/api`, because Vite serves modules such as `/api.ts`. */
const proxied = [
  String.raw`^/(api|catalog/pictures|docs|mcp|oauth2|sandbox|skills|storage|\.well-known)/`,
  String.raw`^/(docs|docs\.md|mcp|llms[\w-]*\.txt|healthz|readyz|metrics)(\?|$)`,
];

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  appType: 'mpa',
  plugins: [react(), pages, pdfParts, pageHtml({ customer: customerPages, desk: deskPages })],
  server: {
    strictPort: true,
    // No `changeOrigin`: the service compares Origin with its own address.
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: service }])),
  },
  build: {
    outDir: 'dist',
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['web/customer.html', 'web/desk.html'],
      // Few files, because each costs a slow phone its headers and HTTP/1.1 one of six connections.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first-reads', test: /\/web\/\w+\/first-reads\.ts$/, priority: 4 },
            { name: 'yaml', test: /\/node_modules\/yaml\//, priority: 3 },
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            { name: 'libraries', test: /\/node_modules\//, tags: ['$initial'], minShareCount: 2, priority: 2 },
            { name: 'common', tags: ['$initial'], minShareCount: 2, priority: 1 },
            {
              name: 'parts',
              test: /\/web\/(ui|app)\/(\w+\/)?(action-button|bytes|empty|icons?|list|once|page|service-names|status|time|use-pages|use-reads)\./,
              minShareCount: 4,
            },
            {
              name: 'inputs',
              test: /\/@mantine\//,
              minShareCount: 4,
              entriesAware: true,
              entriesAwareMergeThreshold: 6_000,
            },
          ],
        },
      },
    },
  },
});
