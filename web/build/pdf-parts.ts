import { createReadStream, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

const library = join(import.meta.dirname, '../../node_modules/pdfjs-dist');
const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string };
/** Never changes: another version has another name. `pdf.ts` names it, too. */
const folder = `assets/pdfjs-${version}`;

/** What the PDF library fetches by names that it makes itself, with the licences of each. */
const parts = new Map(
  globSync(
    ['wasm/*_nowasm_fallback.js', 'wasm/LICENSE_*JBIG2', 'wasm/LICENSE_*OPENJPEG', 'cmaps/*', 'standard_fonts/*'],
    {
      cwd: library,
    },
  ).map((path) => [basename(path) === 'LICENSE' ? 'LICENSE_CMAPS' : basename(path), join(library, path)]),
);

export const pdfParts: Plugin = {
  name: 'pdf-parts',
  generateBundle() {
    for (const [name, path] of parts)
      this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source: readFileSync(path) });
  },
  configureServer(server) {
    server.middlewares.use(`/${folder}`, (request, response, next) => {
      const path = parts.get(request.url?.split('?')[0]?.slice(1) ?? '');
      if (path === undefined) return next();
      if (path.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
      createReadStream(path).pipe(response);
    });
  },
};
