import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { pages } from './fingerprint.ts';

/** Compressed once with the best settings. */
async function compressAssets(): Promise<void> {
  const folder = join(pages.dist, 'assets');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(m?js|css|svg|ttf)$/.test(name),
  );
  await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(join(folder, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

export async function buildPages(): Promise<void> {
  const now = pages.fingerprint();
  const { build } = await import('vite');
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
  await compressAssets();
  const { buildMcpPages } = await import('./mcp-pages.ts');
  await buildMcpPages();
  writeFileSync(pages.stamp, now);
}
