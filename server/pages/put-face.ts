import { accentTokens } from '../../contract/studio/accent.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import { copyWords, declarations, text } from '../lib/html.ts';

/** The placeholder in the built HTML that each answer replaces with its own nonce. */
export const noncePlaceholder = '__NONCE__';

/** A built page with the name, icon and accent of the studio, so that none of them changes while it loads. */
export const putFace = (html: string, studio: Studio): string =>
  html
    .replace(/<title>Atelier/, () => `<title>${text(studio.name)}`)
    .replace('__STUDIO__', () => text(JSON.stringify(studio)))
    .replace(/<link rel="icon"[^<>]*>/, (link) => (studio.icon ? `<link rel="icon" href="${studio.icon}" />` : link))
    .replace('</head>', () => `${accentStyle(studio.accent)}</head>`);

/** In the HTML itself, so that no page can leave it out. `web/ui/shell/shell.css` has its rules. */
export const putCopyNote = (html: string): string =>
  html.replace('<div id="root">', (root) => `<aside class="copy-note">${copyWords}</aside>${root}`);

/** After the style sheets of the page, whose tokens it replaces. */
function accentStyle(accent: string | null): string {
  if (accent === null) return '';
  const { light, dark } = accentTokens(accent);
  return `<style nonce="${noncePlaceholder}">:root{--pin:${light.accent};${declarations(light)}}:root[data-mantine-color-scheme='dark']{${declarations(dark)}}</style>`;
}
