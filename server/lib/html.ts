import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { accentTokens, type AccentTokens } from '../../contract/studio/accent.ts';
import { defaultName } from '../../contract/studio/plain-studio.ts';
import type { Studio } from '../../contract/studio/studio.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The face that pages show; without it they are those of Atelier. */
    studio?(): Studio;
    /** Pages say that it is a copy. */
    isCopy?: boolean;
  }
}

export const copyWords = 'This is a copy. It sends no mails and reaches nothing outside.';

/** The tokens and rules of `web/ui/` that a page without scripts needs. */
const style = `:root{color-scheme:light dark;--page:#fbfaf8;--panel:#fff;--line:#e7e3dc;--strong-line:#d3cdc3;--ink:#1c1a17;--second:#57524a;--accent:#0b6b5d;--accent-hover:#095a4e;--on-accent:#fff;--accent-text:#0a5f53;--bad:#a8321f;--hover:#f0ede8}
@media(prefers-color-scheme:dark){:root{--page:#151412;--panel:#1c1b18;--line:#2c2a26;--strong-line:#403d37;--ink:#f1eee8;--second:#b9b3a8;--accent:#5fc9b4;--accent-hover:#7ad6c3;--on-accent:#0b1f1b;--accent-text:#7ad6c3;--bad:#f2937f;--hover:#252320}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:32px 16px;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:24px;font:14px/1.5 system-ui,-apple-system,"Segoe UI",Inter,Roboto,sans-serif;color:var(--ink);background:var(--page);-webkit-font-smoothing:antialiased}
.brand{display:inline-flex;align-items:center;gap:10px;font-size:19px;font-weight:600;color:var(--ink);text-decoration:none}
.brand{max-width:376px;overflow-wrap:anywhere}.brand>*{flex:none;object-fit:contain}.brand>span{flex:1}
.brand rect{fill:var(--accent)}.brand path{fill:none;stroke:var(--on-accent);stroke-width:1.6;stroke-linecap:round}
main{width:100%;max-width:376px}
main,article{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:28px}
h1{margin:0 0 4px;font-size:20px;font-weight:600;line-height:1.4}h2{margin:0;font-size:14px;font-weight:600}
p{margin:0 0 12px;color:var(--second)}main>:last-child{margin-bottom:0}
a{color:var(--accent-text);text-underline-offset:3px}code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:16px 0;padding:16px 0;border:solid var(--line);border-width:1px 0}dt{color:var(--second)}dd{margin:0;text-align:right}
form{margin:0 0 12px}
button{width:100%;min-height:34px;padding:6px 14px;font:inherit;font-weight:500;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:7px;cursor:pointer}
button:hover{background:var(--accent-hover)}
section{margin:16px 0;padding-top:16px;border-top:1px solid var(--line)}section form{margin-bottom:8px}
section button{color:var(--ink);background:none;border-color:var(--strong-line)}section button:hover{background:var(--hover)}
section form:last-child button{color:var(--bad);border-color:transparent}
body:has(article){justify-content:flex-start}main:has(article){max-width:720px;padding:0;border:0;background:none}
article{margin-top:12px;padding:16px}article p{margin:0;display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;font-size:12.5px}
pre{margin:12px 0 0;padding-top:12px;border-top:1px solid var(--line);font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
main:has(.text){max-width:680px}.text{display:flow-root}.text h2{margin:20px 0 4px}.text p,.text ul{margin:0 0 8px;color:var(--second)}.text ul{padding-left:20px}
.text code{overflow-wrap:anywhere}.text pre{margin:8px 0 0;padding:12px;border:1px solid var(--line);border-radius:7px}
dl.codes{display:block}dl.codes dt{margin-top:12px}dl.codes dt:first-child{margin-top:0}dl.codes dd{margin:2px 0 0;text-align:left}
.text .links{display:flex;flex-wrap:wrap;gap:4px 20px;margin:24px 0 0}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 16px;font-size:12.5px;color:var(--second)}footer a{color:inherit}
.copy{position:fixed;inset:0 0 auto;margin:0;padding:4px 8px;font-size:12px;text-align:center;color:var(--ink);background:var(--hover);border-bottom:1px solid var(--line)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}`;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const text = (value: string) => value.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** CSS of the tokens that an accent sets. */
export const declarations = (tokens: AccentTokens): string =>
  Object.entries(tokens)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');

type Frame = { name: string; policy: string; head: string; foot: string };

const frames = new WeakMap<Studio, Frame>();

/** What is around each page of a studio, made once. */
function frameOf(studio: Studio | null): Frame {
  const ready = studio && frames.get(studio);
  if (ready) return ready;
  const name = studio?.name ?? defaultName;
  const styled = style + accentStyle(studio?.accent ?? null);
  const hash = createHash('sha256').update(styled).digest('base64');
  const frame = {
    name,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    head: `${studio?.icon ? `<link rel="icon" href="${studio.icon}">` : ''}<style>${styled}</style></head><body><header><a class="brand" href="/">${markOf(studio)}<span>${text(name)}</span></a></header>`,
    foot: footOf(studio),
  };
  if (studio) frames.set(studio, frame);
  return frame;
}

function accentStyle(accent: string | null): string {
  if (accent === null) return '';
  const { light, dark } = accentTokens(accent);
  return `\n:root{${declarations(light)}}@media(prefers-color-scheme:dark){:root{${declarations(dark)}}}`;
}

function markOf(studio: Studio | null): string {
  if (!studio?.mark)
    return '<svg width="25" height="25" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="M7.5 17.5v-5a4.5 4.5 0 0 1 9 0v5"/></svg>';
  const dark = studio.mark_dark ? `<source srcset="${studio.mark_dark}" media="(prefers-color-scheme:dark)">` : '';
  return `<picture>${dark}<img src="${studio.mark}" width="25" height="25" alt=""></picture>`;
}

function footOf(studio: Studio | null): string {
  const links = studio ? linksOf(studio).map(({ words, url }) => `<a href="${text(url)}">${words}</a>`) : [];
  const credit = studio && studio.name !== defaultName ? ['<span>Runs on Atelier</span>'] : [];
  return links.length + credit.length > 0 ? `<footer>${[...links, ...credit].join('')}</footer>` : '';
}

/** Where a studio can be asked, and its legal pages. */
export function linksOf({ support, links }: Studio): { words: string; url: string }[] {
  const all = [
    { words: 'Help', url: support.url ?? (support.email && `mailto:${support.email}`) },
    { words: 'Terms', url: links.terms },
    { words: 'Privacy', url: links.privacy },
    { words: 'Imprint', url: links.imprint },
  ];
  return all.flatMap(({ words, url }) => (url ? [{ words, url }] : []));
}

/** A page without scripts. It loads nothing from elsewhere and may post forms only to this service. */
export function page(reply: FastifyReply, title: string, body: string) {
  const studio = reply.server.studio?.();
  const { name, policy, head, foot } = frameOf(studio ?? null);
  const copy = reply.server.isCopy ? `<p class="copy">${copyWords}</p>` : '';
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)} · ${text(name)}</title>${head}${copy}<main><h1>${text(title)}</h1>${body}</main>${foot}</body></html>`);
}
