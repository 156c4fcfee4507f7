import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accentTokens } from '../../contract/studio/accent.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { declarations } from '../lib/html.ts';

/** MCP Apps: pages that a host shows beside the answer of a tool. Other hosts show the answer alone. */
export const uiExtension = 'io.modelcontextprotocol/ui';
const mimeType = 'text/html;profile=mcp-app';

const pages = {
  review: {
    title: 'Review of a delivery',
    description: 'Shows what was delivered, and takes approval or places to change.',
  },
  order: {
    title: 'Order form',
    description: 'Shows a draft with what it lacks and the quota that is left, and orders it.',
  },
};
type Name = keyof typeof pages;
const names = Object.keys(pages) as Name[];

export const uiUri = (name: Name): string => `ui://atelier/${name}.html`;

export type UiDependencies = { pagesDir: string; publicUrl: string; catalog: Pick<Catalog, 'studio'> };

const fileOf = ({ pagesDir }: Pick<UiDependencies, 'pagesDir'>, name: Name) =>
  join(pagesDir, 'mcp-apps', `${name}.html`);

/** Posters are the only thing that a page loads, and the service itself sends them. */
const metaOf = ({ publicUrl }: Pick<UiDependencies, 'publicUrl'>) => ({
  ui: { csp: { resourceDomains: [new URL(publicUrl).origin] }, prefersBorder: true },
});

/** Only what is built. */
export const listUi = (dependencies: Omit<UiDependencies, 'catalog'>): Resource[] =>
  names
    .filter((name) => existsSync(fileOf(dependencies, name)))
    .map((name) => ({ uri: uiUri(name), name, ...pages[name], mimeType, _meta: metaOf(dependencies) }));

export async function readUi(dependencies: UiDependencies, uri: string): Promise<ReadResourceResult> {
  const name = names.find((candidate) => uiUri(candidate) === uri);
  const file = name && fileOf(dependencies, name);
  if (!file || !existsSync(file)) {
    const { ResourceNotFoundError } = await import('@modelcontextprotocol/server');
    throw new ResourceNotFoundError(uri);
  }
  const text = withAccent(await readFile(file, 'utf8'), dependencies.catalog.studio.accent);
  return { contents: [{ uri, mimeType, text, _meta: metaOf(dependencies) }] };
}

/** After the styles of the page, whose tokens it replaces. */
function withAccent(html: string, accent: string | null): string {
  if (accent === null) return html;
  const { light, dark } = accentTokens(accent);
  const style = `:root{--pin:${light.accent};${declarations(light)}}:root[data-mantine-color-scheme='dark']{${declarations(dark)}}`;
  return html.replace('</head>', () => `<style>${style}</style></head>`);
}
