import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailbox } from '../../test/faults/mailbox.ts';
import { catalogWith } from '../../test/support/catalog.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { connect } from '../../test/support/mcp.ts';
import { goodPassword, signUp, signUpUnverified } from '../../test/support/people.ts';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import { madeUpStudio } from '../../test/support/studio.ts';

const name = 'Wintergarten & Söhne, Werkstatt für Zeichnung, Satz und Film';
const inHtml = name.replace('&', '&amp;');

let service: Service;
const dir = catalogWith([], madeUpStudio);
beforeAll(async () => void (service = await createService({ CATALOG_DIR: dir })));
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});
const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(service.url + path, { headers })).text();

test('the installation names the studio; its marks are pictures that run nothing', async () => {
  const { studio } = (await service.call('GET', '/api/v1/installation')).body.installation;
  expect(studio).toMatchObject({ name, accent: '#8c1d6b', support: { email: 'help@wintergarten.example' } });
  for (const path of [studio.mark, studio.mark_dark, studio.icon]) {
    const answer = await fetch(service.url + path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  }
});

test('a page without scripts has name, mark, accent, help and legal links, and loads nothing from elsewhere', async () => {
  const answer = await fetch(`${service.url}/no-such-page`, { headers: { accept: 'text/html' } });
  const html = await answer.text();
  expect(html).toContain(`<title>There is no such page · ${inHtml}</title>`);
  expect(html).toMatch(
    /<picture><source srcset="\/catalog\/pictures\/\w+\.svg" media="\(prefers-color-scheme:dark\)">/,
  );
  expect(html).toContain('--accent:#8c1d6b');
  expect(html).toContain('<a href="https://wintergarten.example/help">Help</a>');
  expect(html).toContain('<a href="https://wintergarten.example/imprint">Imprint</a>');
  expect(html).toContain('Runs on Atelier');
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; img-src 'self';/,
  );
  expect([...html.matchAll(/(?:src|srcset)="([^"]+)"/g)].every(([, path]) => path?.startsWith('/catalog/'))).toBe(true);
});

test('the reference, llms.txt and the OpenAPI document bear the name', async () => {
  expect(await textOf('/llms.txt')).toMatch(new RegExp(`^# ${name}\n\nDrawings that hold, set by hand.\n\n> `));
  expect(await textOf('/docs.md')).toMatch(new RegExp(`^# ${name}: API reference\n`));
  expect(JSON.parse(await textOf('/api/v1/openapi.json')).info.title).toBe(name);
  expect(JSON.parse(await textOf('/docs/reference.json')).info.title).toBe(name);
  expect(await textOf('/docs/')).toContain(`${inHtml} API</title>`);
});

test('an agent reads the name in the instructions of MCP', async () => {
  const { key } = await newCustomer(service, 'agent');
  const client = await connect(service, key);
  expect(client.getServerVersion()).toMatchObject({ name: 'atelier', title: name });
  expect(client.getInstructions()).toMatch(new RegExp(`^${name} is a studio that people`));
  await client.close();
});

test('an app for second factors lists the studio', async () => {
  const ada = await signUp(service);
  const body = { password: goodPassword };
  const { otpauth_url } = (await service.call('POST', '/api/auth/second-factor/start', { as: ada.token, body })).body;
  expect(new URL(otpauth_url).searchParams.get('issuer')).toBe(name);
});

test('a mail comes from the studio, and ends with its help and legal lines', async () => {
  const mailbox = await openMailbox();
  const other = await createService({
    CATALOG_DIR: dir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Post <post@studio.example>',
  });
  await signUpUnverified(other);
  await other.context.mailSender.idle();
  const [email] = other.emails;
  expect(email?.text).toMatch(
    /\n\n-- \n.+\nSupport: help@wintergarten.example\nHelp: https:\/\/wintergarten.example\/help\nTerms: .+\nPrivacy: .+\nImprint: .+\nWintergarten & Söhne GmbH, Bahnhofstraße 1, Zürich\n$/,
  );
  expect(email?.html).toContain(`<strong>${inHtml}</strong>`);
  expect(email?.html).toContain('background:#8c1d6b');
  expect(mailbox.emails[0]).toMatch(/^From: .+ <post@studio\.example>/m);
  expect(mailbox.emails[0]).not.toMatch(/^From: Post/m);
  await other.close();
  await mailbox.close();
});

test('another face is shown at once, everywhere', async () => {
  const before = service.context.catalog.studio;
  service.context.catalog.studio = { ...plainStudio, name: 'Another' };
  expect(await textOf('/no-such-page', { accept: 'text/html' })).toContain('· Another</title>');
  expect(await textOf('/llms.txt')).toMatch(/^# Another\n\n> /);
  expect(JSON.parse(await textOf('/api/v1/openapi.json')).info.title).toBe('Another');
  expect(JSON.parse(await textOf('/docs/reference.json')).info.title).toBe('Another');
  service.context.catalog.studio = before;
});
