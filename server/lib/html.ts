import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';

const style = `:root{color-scheme:light dark;--page:#fbfaf8;--ink:#1c1a17;--accent:#0b6b5d;--on:#fff;--line:#e7e3dc}
@media(prefers-color-scheme:dark){:root{--page:#151412;--ink:#f1eee8;--accent:#5fc9b4;--on:#0b1f1b;--line:#2c2a26}}
body{font:0.9rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color:var(--ink);background:var(--page)}
h1{font-size:1.25rem;font-weight:600}h2{font-size:1rem}article{border-top:1px solid var(--line)}pre{white-space:pre-wrap;overflow-wrap:anywhere}
button{font:inherit;font-weight:500;padding:.5rem 1rem;border:0;border-radius:7px;background:var(--accent);color:var(--on);cursor:pointer}
button:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}a{color:var(--accent)}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Safe between tags and in attributes. */
export const text = (given: string) => given.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** A page without scripts, which loads nothing and may send forms to us alone. */
export function page(reply: FastifyReply, title: string, body: string) {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)}</title><style>${style}</style></head><body><main><h1>${text(title)}</h1>${body}</main></body></html>`);
}
