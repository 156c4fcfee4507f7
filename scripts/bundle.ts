import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from '../web/build/fingerprint.ts';
import { external } from './packages.ts';

const root = resolve(import.meta.dirname, '..');

const programs = {
  main: 'server/main.ts',
  admin: 'cli/admin.ts',
  'poster-process': 'server/files/poster-process.ts',
  'render-page': 'server/reference/render-page.ts',
  'comparing-thread': 'server/publishing/comparing-thread.ts',
};

/** Makes service and command line a few files in `to/code`, with their tables beside them as in `server/`. */
export async function bundleServer(to = bundle.dist): Promise<void> {
  rmSync(join(to, 'fingerprint'), { force: true }); // what fails from here on leaves no bundle that counts
  const now = bundle.fingerprint();
  const { rolldown } = await import('rolldown');
  rmSync(to, { recursive: true, force: true });
  const bundled = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
  });
  const { output } = await bundled.generate({
    format: 'esm',
    sourcemap: true,
    // Names stay: of classes, which some libraries read, and of functions, for readers of stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    chunkFileNames: '[name]-[hash].js', // beside the programs, because `places.ts` counts folders
  });
  const code = join(to, 'code');
  mkdirSync(code, { recursive: true });
  for (const file of output)
    writeFileSync(join(code, file.fileName), file.type === 'chunk' ? file.code : withoutSources(file.source));
  for (const table of globSync('**/*.{yaml,json}', { cwd: join(root, 'server') }))
    cpSync(join(root, 'server', table), join(to, table));
  writeFileSync(join(to, 'fingerprint'), now);
}

/** A map needs only names and lines to say where an error comes from. */
function withoutSources(source: string | Uint8Array): string {
  const { sourcesContent: _, ...map } = JSON.parse(source.toString()) as { sourcesContent: string[] };
  return JSON.stringify(map);
}
