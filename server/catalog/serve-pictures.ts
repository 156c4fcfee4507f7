import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal.ts';
import type { Catalog } from './catalog.ts';

type PictureRequest = FastifyRequest<{ Params: { name: string } }>;

/** An SVG of the operator draws, and does nothing else, even when it is opened as a page. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function servePictures(app: FastifyInstance, { catalog }: { catalog: Catalog }): void {
  app.get('/catalog/pictures/:name', ({ params: { name } }: PictureRequest, reply) => {
    const picture = catalog.pictures.get(`/catalog/pictures/${name}`);
    if (!picture) throw new Refusal('not_found');
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', policy)
      .type(picture.contentType)
      .send(picture.bytes);
  });
}
