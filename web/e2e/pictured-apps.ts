import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Person, Service } from './start-service.ts';
import { newUserCode } from './studio.ts';

/** Apps that ask and apps that were let in. Their documents are as if they had been read just now. */

const redirect = (host: string) => `https://${host}/callback`;
const address = (host: string) => `https://${host}/app.json`;

async function insertApp(db: Client, clientId: string, name: string, host: string): Promise<void> {
  await db.query(
    `insert into oauth_clients (client_id, name, redirect_uris, grant_types, response_types, token_endpoint_auth_method)
     values ($1, $2, $3, '["authorization_code", "refresh_token"]', '["code"]', 'none')`,
    [clientId, name, JSON.stringify([redirect(host)])],
  );
}

type Asking = { service: Service; as: Person; clientId: string; host: string; scope: string };

/** The page that an app sends the browser of the person to. */
async function pageOf({ service, as, clientId, host, scope }: Asking): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect(host),
    scope,
    state: 'state',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const answer = await fetch(`${service.url}/api/auth/oauth2/authorize?${query}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${as.token}` },
  });
  return answer.headers.get('location') ?? '';
}

/** Lets an app in that asks for reading, or reading and ordering. */
async function letIn(asking: Asking, days: number): Promise<void> {
  const { call } = asking.service;
  const { token } = asking.as;
  const request = new URLSearchParams((await pageOf(asking)).split('?')[1]).get('request') ?? '';
  const { accounts } = await call('GET', `/api/auth/connection?request=${request}`, token);
  const choice = { account_id: accounts[0].id, scopes: asking.scope.split(' '), days };
  await call('POST', '/api/auth/connection/decide', token, { request, allow: true, ...choice });
}

const [read, order] = ['api:read', 'api:read api:write'];

/** Connects apps to the account; the pages on which others ask. */
export async function connectApps(service: Service, db: Client, ada: Person) {
  const { call } = service;
  for (const [name, host] of [
    ['Margin Notes', 'margin-notes.example'],
    ['Sketchbook Assistant', 'assistant.sketchbook.example'],
    ['Compose', 'compose.example'],
  ] as const)
    await insertApp(db, address(host), name, host);
  await insertApp(db, 'kQzHvbWnXrTyPdLmSgJfCaEuIoRtBwNx', 'Studio Helper', 'helper.example');
  const of = (host: string, scope = order, clientId = address(host)) => ({ service, as: ada, clientId, host, scope });

  await letIn(of('margin-notes.example', read), 90);
  const { connected_apps } = await call('GET', '/api/auth/connected-apps', ada.token);
  await call('DELETE', `/api/auth/connected-apps/${connected_apps[0].id}`, ada.token);
  await letIn(of('margin-notes.example', read), 2);
  await letIn(of('assistant.sketchbook.example'), 30);
  await db.query(`update api_keys set last_used_at = now() - interval '4 minutes' where name = 'Sketchbook Assistant'`);
  return {
    connect: await pageOf(of('compose.example')),
    connectReading: await pageOf(of('compose.example', read)),
    connectRefused: await pageOf(of('compose.example', 'admin')),
    connectUnchecked: await pageOf(of('helper.example', order, 'kQzHvbWnXrTyPdLmSgJfCaEuIoRtBwNx')),
    device: `/device?user_code=${await newUserCode(service, order)}`,
  };
}
