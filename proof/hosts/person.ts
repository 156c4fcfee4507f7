import { createServer } from 'node:http';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../../test/support/harness.ts';
import type { TestPerson } from '../../test/support/people.ts';

/** The person allows what is chosen of what the page asks for. Returns where the browser goes then. */
export async function allow(service: Service, person: TestPerson, address: string, chosen: string[]): Promise<URL> {
  const headers = { authorization: `Bearer ${person.token}` };
  const opened = await fetch(address, { redirect: 'manual', headers });
  const page = new URL(opened.headers.get('location') ?? '', address);
  const request = page.searchParams.get('request') ?? '';
  const { accounts, scopes } = (await service.call('GET', `/api/auth/connection?request=${request}`, { as: person }))
    .body;
  const allowed = chosen.filter((scope) => scopes.includes(scope));
  const body = { request, allow: true, account_id: accounts[0].id, scopes: allowed };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: person, body });
  return new URL(decided.body.redirect_to);
}

/** Access tokens last an hour, and it has passed. */
export const expireAccess = ({ context }: Service, { userId }: TestPerson) =>
  context.db
    .updateTable('oauth_access_tokens')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('user_id', '=', userId)
    .execute();

/** The person ends whatever they gave to a host. */
export async function endAccess(service: Service, person: TestPerson): Promise<void> {
  const { api_keys } = (await service.call('GET', '/api/v1/api-keys', { as: person })).body;
  for (const { id } of api_keys) await service.call('DELETE', `/api/v1/api-keys/${id}`, { as: person });
  const { connected_apps } = (await service.call('GET', '/api/auth/connected-apps', { as: person })).body;
  for (const { id } of connected_apps) await service.call('DELETE', `/api/auth/connected-apps/${id}`, { as: person });
}

/** A program may begin to listen after it has opened the browser, and a person takes longer than this. */
async function patientFetch(address: URL): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(address).catch(() => null);
    if (answer) return;
    await wait(100);
  }
}

/** A home folder for programs. Its `xdg-open` hands the address to `allow`, and opens where that leads. */
export async function openHome(allow: (address: string) => Promise<URL>) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-host-'));
  const browser = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://browser').searchParams.get('address') ?? '';
    void allow(address)
      .then((back) => patientFetch(back))
      .finally(() => response.end());
  });
  browser.listen(0, '127.0.0.1');
  await once(browser, 'listening');
  const program = join(folder, 'xdg-open');
  const at = `http://127.0.0.1:${(browser.address() as AddressInfo).port}/?address=`;
  writeFileSync(program, `#!${process.execPath}\nfetch('${at}' + encodeURIComponent(process.argv[2]));\n`);
  chmodSync(program, 0o755);
  return {
    env: {
      HOME: folder,
      BROWSER: program,
      PATH: [folder, join(process.execPath, '..'), process.env['PATH']].join(':'),
    },
    close(): void {
      browser.close();
      browser.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
