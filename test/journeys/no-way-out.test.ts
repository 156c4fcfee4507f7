import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { endpoints } from '../../contract/openapi.ts';
import { newApp, publicUrl, redirectUri, requestOf, serveDocuments } from '../support/app-documents.ts';
import { authorize, connectApp } from '../support/apps.ts';
import { ask, createWorld, type World } from '../support/every-endpoint.ts';
import { newUploadPage } from '../support/files.ts';
import { newSession, signUp } from '../support/people.ts';
import { post } from '../support/jobs.ts';

/** No address of ours leads a browser to another site without a click of its person. */

let world: World;
let documents: Awaited<ReturnType<typeof serveDocuments>>;
beforeAll(async () => {
  world = await createWorld({ WEBHOOK_ALLOW: '127.0.0.1' });
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  await world.service.close();
});

const evil = 'https://evil.example/phish';
/** Names under which other services take the address of the next page. */
const names = ['next', 'return_to', 'returnUrl', 'redirect', 'redirect_to', 'redirect_uri', 'url', 'to', 'continue'];
const hostile = new URLSearchParams(names.map((name) => [name, evil])).toString();
const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: evil, referer: evil };

/** Where the answer leads, if it does; null for an answer that leads nowhere by itself. */
async function leadsTo(path: string, init: RequestInit = {}): Promise<URL | null> {
  const answer = await fetch(world.service.url + path, { redirect: 'manual', ...init });
  const to = answer.headers.get('location');
  expect(answer.headers.get('refresh')).toBeNull();
  const text = await answer.text();
  expect(text).not.toMatch(/http-equiv="?refresh/i);
  expect(text).not.toContain('evil.example');
  return to !== null && answer.status >= 300 && answer.status < 400 ? new URL(to, publicUrl) : null;
}

/** What the browser of Ada is led to stays here. The path that it is led to. */
async function staysHere(path: string, init: RequestInit = {}): Promise<string | undefined> {
  const { cookie } = await newSession(world.service, world.ada);
  const headers = { cookie, accept: 'text/html', ...init.headers };
  const to = await leadsTo(`${path}${path.includes('?') ? '&' : '?'}${hostile}`, { ...init, headers });
  if (to) expect(to.origin, path).toBe(publicUrl);
  return to?.pathname;
}

const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: `${import.meta.dirname}/../..` })
    .filter((file) => !/\.(test|spec)\.tsx?$/.test(file) && !/(dist|e2e|generated)\//.test(file))
    .toSorted();
const textOf = (file: string) => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8');
const countIn = (pattern: RegExp, files: string[]) =>
  Object.fromEntries(files.map((file) => [file, textOf(file).match(pattern)?.length ?? 0]).filter(([, n]) => n !== 0));

describe('every door is named here', () => {
  test('what can redirect', () => {
    expect(countIn(/\.redirect\(|(?:status: |code\()30[12378]/g, sourcesOf('server/**/*.ts'))).toEqual({
      'server/billing/sandbox-pages.ts': 3, // checkout returns
      'server/billing/sandbox-portal.ts': 4, // portal
      'server/connect/oauth-routes.ts': 1, // OAuth
      'server/desk/queue/open-job-archive.ts': 1, // the same
      'server/desk/queue/open-job-file.ts': 1, // the signed address of our storage
      'server/files/download-file.ts': 1, // the same
      'server/files/open-archive.ts': 1, // the same
      'server/http/server.ts': 1, // the same address without the slash at its end
      'server/pages/one-loopback-name.ts': 1, // one name of this machine
      'server/pages/serve-pages.ts': 1, // the reference, where pages are not built
      'server/reference/show-reference.ts': 1, // the reference
    });
    const redirecting = endpoints.filter(({ answers }) =>
      Object.keys(answers).some((code) => /^30[12378]$/.test(code)),
    );
    expect(redirecting.map(({ operationId }) => operationId).toSorted()).toEqual([
      'downloadFile',
      'openArchive',
      'openJobArchive',
      'openJobFile',
    ]);
  });

  test('where a page of ours goes on by a computed address', () => {
    const going =
      /(?:location\.(?:assign|replace)|window\.open)\((?!'|(?:customer|desk)Pages\.|pathTo\((?:customer|desk)Pages)[^)]*\)/g;
    const computed = sourcesOf('web/**/*.{ts,tsx}').flatMap((file) =>
      (textOf(file).match(going) ?? []).map((call) => `${file}: ${call}`),
    );
    expect(computed).toEqual([
      'web/app/session/session.tsx: location.replace(signInPage()', // with the open page as `next`
      'web/customer/account/plan-request.ts: location.assign(url)', // of checkout or portal, after a press
      'web/customer/entry/connect.tsx: location.assign(to)', // to the app, after Allow or Deny
      'web/customer/entry/connect.tsx: location.replace(`${authorizePath}?${query}`)', // OAuth, below
      'web/customer/entry/refused-app.tsx: location.assign(to)', // to the app, after "Back to"
      'web/customer/entry/sign-in.tsx: location.assign(ownAddress(next, location.origin)',
      'web/customer/entry/sign-up.tsx: location.assign(ownAddress(next, location.origin)',
    ]);
  });
});

test('sign-in and sign-up: no answer and no page of them leads on, whatever their address says', async () => {
  for (const page of [customerPages.signIn, customerPages.signUp, customerPages.forgotPassword]) await staysHere(page);
  const { email } = world.ada;
  const body = JSON.stringify({ email, password: 'a wrong password', next: evil });
  const headers = { 'content-type': 'application/json', origin: publicUrl };
  for (const path of ['sign-in/email', 'sign-up/email'])
    expect(await leadsTo(`/api/auth/${path}?${hostile}`, { method: 'POST', body, headers })).toBeNull();
});

test('OAuth: an app gets the browser without a click only if its person has connected it before', async () => {
  const app = newApp(documents.at('painter.json'));
  const bob = await signUp(world.service);
  const faults: Record<string, string>[] = [
    { prompt: 'none' },
    { scope: 'admin' },
    { response_type: 'token' },
    { redirect_uri: evil },
  ];
  for (const as of [null, bob])
    for (const fault of faults) {
      const to = await authorize(world.service, { ...requestOf(app), ...fault }, as);
      expect([to.origin, to.pathname]).toEqual([publicUrl, customerPages.connect]);
    }
  await connectApp(world.service, bob, app);
  const back = await authorize(world.service, { ...requestOf(app), prompt: 'none' }, bob);
  expect(back.href.split('?')[0]).toBe(redirectUri);
  const query = new URLSearchParams({ ...requestOf(app), prompt: 'none' });
  expect(await staysHere(`/api/auth/oauth2/authorize?${query}`)).toBe(customerPages.connect);
  await staysHere(`${customerPages.connect}?error=x&error_description=evil`);
  await staysHere(customerPages.device);
});

test('checkout returns: paying leads to our page of the payment, and from there to the plans', async () => {
  const bob = await signUp(world.service);
  const checkout = await post(world.service, bob.token, '/api/checkout/tier', { plan_code: 'studio' });
  const path = new URL(checkout.body.checkout.url).pathname;
  expect(await staysHere(path)).toBeUndefined();
  expect(await staysHere(`${path}/pay`, { method: 'POST' })).toBe(`${path}/paid`);
  expect(await staysHere(path)).toBe(`${path}/paid`);
  expect(await staysHere(`${path}/paid`)).toBeUndefined();
  for (const result of ['success', 'cancel']) await staysHere(`${customerPages.plans}?checkout=${result}`);
});

test('portal: each change leads to the portal again', async () => {
  const opened = await post(world.service, world.eve.token, '/api/checkout/portal');
  const path = new URL(opened.body.portal.url).pathname;
  await staysHere(path);
  const page = await (await fetch(world.service.url + path)).text();
  const actions = [...page.matchAll(/action="([^"]+)"/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(await staysHere(action, { method: 'POST' })).toBe(path);
});

test('mail links: every address in every mail is a page of ours', async () => {
  const { emails } = world.service;
  await post(world.service, null, '/api/auth/request-password-reset', { email: world.ada.email });
  const links = emails.flatMap(({ text, html }) => `${text} ${html}`.match(/https?:\/\/[^\s"<]+/g) ?? []);
  expect(links.length).toBeGreaterThan(5);
  for (const link of new Set(links)) {
    expect(new URL(link).origin).toBe(publicUrl);
    await staysHere(link.slice(publicUrl.length));
  }
});

test('review links and upload pages: the page stays, and its token is in no address', async () => {
  const upload = await newUploadPage(world.service, world.key);
  for (const [page, token] of [
    [customerPages.guestReview, world.guest.review],
    [customerPages.upload, upload.token],
  ])
    await staysHere(`${page}#${token}`);
});

test('downloads: the only other address is the signed one of our storage', async () => {
  const file = `/api/v1/files/${world.ids.file}/download`;
  const { token } = world.ada;
  const to = await leadsTo(`${file}?${hostile}`, { headers: { authorization: `Bearer ${token}`, ...forged } });
  expect(to?.href).toMatch(/^http:\/\/localhost:3000\/storage\/files\//);
});

test('every other route and page leads nowhere else, with forged names of this host', async () => {
  const paths = [...Object.values(customerPages), ...Object.values(deskPages), '/docs', '/docs/', '/sandbox/mail'];
  for (const path of paths) await staysHere(path.replaceAll(/:\w+/g, 'x'), { headers: forged });
  for (const endpoint of endpoints.filter(({ method, long }) => method === 'GET' && !long)) {
    const { status, headers } = await ask(world, endpoint, { headers: { 'x-forwarded-host': 'evil.example' } });
    const to = status >= 300 && status < 400 ? headers.get('location') : null;
    if (to !== null) expect(new URL(to, publicUrl).origin, endpoint.operationId).toBe(publicUrl);
  }
});
