import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { pages as built } from './fingerprint.ts';

const pages = { review: 'Review of a delivery', order: 'Order form' };

/** Hosts fetch a page whole and keep it, also on a phone. */
const mostBytes = 60_000;

/** The pages for hosts with MCP Apps. Each is one file, because such a page may load no script. */
export async function buildMcpPages(): Promise<void> {
  const folder = join(built.dist, 'mcp-apps');
  mkdirSync(folder, { recursive: true });
  for (const [name, title] of Object.entries(pages)) {
    const html = pageOf(title, await bundle(join(import.meta.dirname, `../mcp/${name}.ts`)));
    const size = gzipSync(html, { level: 9 }).length;
    if (size > mostBytes) throw new Error(`The MCP page ${name} has ${size} bytes compressed, more than ${mostBytes}.`);
    process.stdout.write(`MCP page ${name}: ${(size / 1000).toFixed(1)} kB gz\n`);
    writeFileSync(join(folder, `${name}.html`), html);
  }
}

type Bundle = { script: string; styles: string };

async function bundle(input: string): Promise<Bundle> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, cssCodeSplit: false, rolldownOptions: { input, output: { codeSplitting: false } } },
  })) as Rolldown.RolldownOutput;
  const scripts = built.output.filter((part) => part.type === 'chunk');
  const sheets = built.output.filter((part) => part.type === 'asset' && part.fileName.endsWith('.css'));
  if (scripts.length !== 1 || sheets.length !== 1) throw new Error(`${input} does not fit into one file.`);
  return { script: scripts[0]?.code ?? '', styles: String(sheets[0]?.type === 'asset' ? sheets[0].source : '') };
}

/** In a script, `</script` may only end it. */
const pageOf = (title: string, { script, styles }: Bundle) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<main class="stack"></main>
<script type="module">${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
