import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customerPages, deskPages } from '../../contract/pages.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Place, Places } from '../files/places.ts';
import { Refusal } from '../http/refusal.ts';
import { page, copyWords, declarations, text } from '../lib/html.ts';
import { accentTokens } from '../../contract/studio/accent.ts';
import type { Studio } from '../../contract/studio/studio.ts';

type Dependencies = {
  pagesDir: string;
  places: Pick<Places, 'seen'>;
  catalog: Pick<Catalog, 'studio'>;
  isCopy: boolean;
};

type AssetRequest = FastifyRequest<{ Params: { '*': string } }>;

/** Milliseconds for one asset: a slow phone needs longer than an operation may take. */
const assetWithin = 120_000;

/** Identifies the build, so that an open page can tell that it is outdated. */
export const buildOf = (dist: string): string | null => {
  const file = join(dist, 'fingerprint');
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, 16) : null;
};

/** Their addresses are private, and have nothing to find without their tokens. */
const byToken: string[] = [customerPages.guestReview, customerPages.upload];

/** Serves both apps: pages at exact paths, and assets. There is no fallback, so a wrong path stays a 404. */
export async function servePages(
  app: FastifyInstance,
  { pagesDir: dist, places, catalog, isCopy }: Dependencies,
): Promise<void> {
  const pages = Object.entries({ customer: customerPages, desk: deskPages }).flatMap(([folder, paths]) =>
    Object.entries(paths).map(([name, path]) => ({ path, file: join(dist, folder, `${name}.html`) })),
  );
  // A build that lacks a page is outdated and counts as missing.
  if (buildOf(dist) === null || !pages.every(({ file }) => existsSync(file))) return servePagesUnbuilt(app);
  for (const { path, file } of pages) {
    const built = readFileSync(file, 'utf8');
    const html = withFace(isCopy ? putCopyNote(built) : built, catalog);
    app.get(path, async (_request, reply) => {
      if (byToken.includes(path)) void reply.header('x-robots-tag', 'noindex');
      const origins = await Promise.all(places.seen().map(originOf));
      return sendHtml(reply, html(), [...new Set(origins)].join(' '));
    });
  }
  await serveAssets(app, join(dist, 'assets'));
}

/** The page as the studio shows itself, made again when its face has changed. */
function withFace(html: string, catalog: Pick<Catalog, 'studio'>): () => string {
  let made = { studio: catalog.studio, html: putFace(html, catalog.studio) };
  return () => {
    const { studio } = catalog;
    if (made.studio !== studio) made = { studio, html: putFace(html, studio) };
    return made.html;
  };
}

/** A bucket has another origin, which its signed URLs show. One that cannot be signed for adds none. */
async function originOf({ storage }: Place): Promise<string> {
  const terms = { contentType: 'image/png', disposition: 'inline', from: new Date(0), seconds: 1 };
  const url = storage.downloadUrl('files/00000000-0000-0000-0000-000000000000.png', terms);
  return url.then(
    (signed) => new URL(signed).origin,
    () => "'self'",
  );
}

function sendHtml(reply: FastifyReply, html: string, storageOrigins: string) {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', policy(nonce, storageOrigins))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(noncePlaceholder, nonce));
}

/** Only our own scripts and styles. The nonce is for styles that the component library injects. */
const policy = (nonce: string, storageOrigins: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data: ${storageOrigins}`,
    `media-src 'self' blob: ${storageOrigins}`,
    "font-src 'self'",
    `connect-src 'self' ${storageOrigins}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A worker has the policy of its own file: it fetches decoders, character maps and fonts of ours. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** One route for all assets, so that metrics have one label. Names with a hash or a version never change. */
async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = new Set(files.filter((name) => /\.[a-z]\w*$/.test(name) && !/\.(br|gz)$/.test(name)));
  await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false, preCompressed: true });
  app.get('/assets/*', { config: { answerWithin: assetWithin } }, ({ params: { '*': name } }: AssetRequest, reply) => {
    if (!names.has(name)) throw new Refusal('not_found');
    const hashed = /-[\w-]{8}\.\w+$|^pdfjs-/.test(name);
    if (name.includes('.worker.')) void reply.header('content-security-policy', workerPolicy);
    return reply
      .header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      .sendFile(name);
  });
}

/** The start page redirects to the reference, the others say what is missing. */
function servePagesUnbuilt(app: FastifyInstance): void {
  app.get(customerPages.home, (_request, reply) => reply.redirect('/docs/', 302));
  const others = [...Object.values(customerPages), ...Object.values(deskPages)].filter((path) => path !== '/');
  for (const path of others)
    app.get(path, (_request, reply) =>
      page(
        reply.code(503),
        'The pages are not built',
        '<p>Run <code>npm run build</code> and start the service again. The API works: see <a href="/docs/">its reference</a>.</p>',
      ),
    );
}

/** The placeholder in the built HTML that each answer replaces with its own nonce. */
const noncePlaceholder = '__NONCE__';

/** A built page with the name, icon and accent of the studio, so that none of them changes while it loads. */
const putFace = (html: string, studio: Studio): string =>
  html
    .replace(/<title>Atelier/, () => `<title>${text(studio.name)}`)
    .replace('__STUDIO__', () => text(JSON.stringify(studio)))
    .replace(/<link rel="icon"[^<>]*>/, (link) => (studio.icon ? `<link rel="icon" href="${studio.icon}" />` : link))
    .replace('</head>', () => `${accentStyle(studio.accent)}</head>`);

/** In the HTML itself, so that no page can leave it out. `web/ui/shell/shell.css` has its rules. */
const putCopyNote = (html: string): string =>
  html.replace('<div id="root">', (root) => `<aside class="copy-note">${copyWords}</aside>${root}`);

/** After the style sheets of the page, whose tokens it replaces. */
function accentStyle(accent: string | null): string {
  if (accent === null) return '';
  const { light, dark } = accentTokens(accent);
  return `<style nonce="${noncePlaceholder}">:root{--pin:${light.accent};${declarations(light)}}:root[data-mantine-color-scheme='dark']{${declarations(dark)}}</style>`;
}
