import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The public address of a test service; it listens elsewhere. */
export const publicUrl = 'http://localhost:3000';
export const redirectUri = 'http://127.0.0.1/callback';

type Documents = { at(name: string, document?: unknown, type?: string): string; asked: string[]; close(): void };

/**
 * A server of metadata documents. Without a document the path is answered with one that is right; of the type
 * `silence` it is not answered until the server closes, and of the type `404` or `503` with that status.
 */
export async function serveDocuments(): Promise<Documents> {
  const documents = new Map<string, { text: string; type: string }>();
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const document = documents.get(request.url ?? '');
    if (document?.type === 'silence') return;
    if (/^\d+$/.test(document?.type ?? '')) return void response.writeHead(Number(document?.type)).end();
    if (document?.type === 'redirect') return void response.writeHead(302, { location: document.text }).end();
    const client_id = `http://${request.headers.host}${request.url}`;
    const usual = JSON.stringify({ client_id, client_name: 'Painter', redirect_uris: [redirectUri] });
    response.setHeader('content-type', document?.type ?? 'application/json').end(document?.text ?? usual);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at(name, document, type = 'application/json') {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      if (document !== undefined) documents.set(`/${name}`, { text, type });
      return `http://127.0.0.1:${port}/${name}`;
    },
    asked: paths,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type App = { clientId: string; verifier: string; challenge: string };

export function newApp(clientId: string): App {
  const verifier = randomBytes(32).toString('base64url');
  return { clientId, verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The parameters of a right request. */
export const requestOf = ({ clientId, challenge }: App): Record<string, string> => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: 'api:read',
  state: 'state-1',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  resource: `${publicUrl}/mcp`,
});
