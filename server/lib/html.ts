import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}
button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}a{color:#1d4ed8}`;
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
