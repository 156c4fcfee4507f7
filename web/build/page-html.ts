import type { Plugin, Rolldown } from 'vite';

/** Named like the page in `contract/pages.ts`. */
const fileOf = (page: string) => `${page.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`;

/** An HTML file per page that links the page's scripts and starts its first reads. */
export const pageHtml = (apps: Record<string, object>): Plugin => ({
  name: 'page-html',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const first = firstReads(bundle);
      for (const [app, pages] of Object.entries(apps)) {
        const html = bundle[`${app}.html`];
        if (html?.type !== 'asset') throw new Error(`${app}.html was not built.`);
        const text = String(html.source);
        for (const page of Object.keys(pages)) {
          const scripts = scriptsOf(bundle, new RegExp(`/web/${app}/\\w+/${fileOf(page)}$`)).filter(
            (name) => !text.includes(name),
          );
          const source = text
            .replace(
              '<script',
              `<script type="module" async fetchpriority="high" src="/${first}"></script>\n    <script`,
            )
            .replace('</head>', `${scripts.map(preload).join('\n')}\n  </head>`);
          this.emitFile({ type: 'asset', fileName: `${app}/${page}.html`, source });
        }
      }
    },
  },
});

/** Runs before the app, so it must stay small: no component and no library. */
function firstReads(bundle: Rolldown.OutputBundle): string {
  const chunk = chunkOf(bundle, /\/web\/app\/first-reads\.ts$/);
  const large = chunk.moduleIds.filter((id) => /\.tsx$|\/node_modules\//.test(id));
  if (chunk.imports.length > 0 || large.length > 0)
    throw new Error(`The first reads import more than they need: ${[...chunk.imports, ...large].join(', ')}`);
  return chunk.fileName;
}

const preload = (script: string) => `    <link rel="modulepreload" crossorigin href="/${script}">`;

/** The scripts that contain a file, and their imports. */
function scriptsOf(bundle: Rolldown.OutputBundle, file: RegExp): string[] {
  const names = new Set([chunkOf(bundle, file).fileName]);
  // The set grows during the loop.
  for (const name of names)
    for (const imported of chunksOf(bundle).find(({ fileName }) => fileName === name)?.imports ?? [])
      names.add(imported);
  return [...names];
}

const chunksOf = (bundle: Rolldown.OutputBundle) => Object.values(bundle).filter((chunk) => chunk.type === 'chunk');

function chunkOf(bundle: Rolldown.OutputBundle, file: RegExp): Rolldown.OutputChunk {
  const chunk = chunksOf(bundle).find(({ moduleIds }) => moduleIds.some((id) => file.test(id)));
  if (!chunk) throw new Error(`${file.source} is in no script.`);
  return chunk;
}
