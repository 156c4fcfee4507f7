import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { builtPages, dist, fingerprint, stamp } from './fingerprint.ts';

/** Compressed once with the best settings. */
async function compressAssets(): Promise<void> {
  const folder = join(dist, 'assets');
  const names = readdirSync(folder).filter((name) => /\.(m?js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(join(folder, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Unless they are up to date. Without build tools (`npm ci --omit=dev`) keeps an existing build. */
async function buildPages(): Promise<void> {
  if (builtPages() === 'current') return;
  const [began, now] = [performance.now(), fingerprint()];
  const { build } = await import('vite');
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
  await compressAssets();
  const { buildMcpPages } = await import('./mcp-pages.ts');
  await buildMcpPages();
  writeFileSync(stamp, now);
  process.stdout.write(`Pages built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}

await buildPages().catch((error: unknown) => {
  process.stderr.write(`The pages could not be built: ${error instanceof Error ? error.message : String(error)}\n`);
  // The service starts without pages, but an explicit build must report the failure.
  if (process.argv.includes('--strict')) process.exitCode = 1;
});
