import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Page } from '@playwright/test';
import type { Person, Service } from './start-service.ts';

/** What people and the studio do by the API, so that a test of pages begins where its page begins. */
let made = 0;

export async function newPerson(service: Service, name = 'Ada Lovelace', email?: string): Promise<Person> {
  email ??= `person-${process.pid}-${++made}@example.com`;
  const password = 'a password of the tests';
  const { token } = await service.call('POST', '/api/auth/sign-up/email', null, { name, email, password });
  return { name, email, password, token };
}

/** Fills in the page of signing up, and sends it. */
export async function signUpOn(
  page: Page,
  { name = 'Ada', email = `ada-${crypto.randomUUID()}@example.com` }: { name?: string; email?: string } = {},
): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('ten characters, and more');
  await page.getByRole('button', { name: 'Create the account' }).click();
}

/** The code that a command line shows while it waits for a person. `scope`: what it asks for. */
export async function newUserCode({ url }: Service, scope?: string): Promise<string> {
  const body = new URLSearchParams({ client_id: 'atelier-cli', ...(scope ? { scope } : {}) });
  const answer = await fetch(`${url}/api/auth/device/code`, { method: 'POST', body });
  return ((await answer.json()) as { user_code: string }).user_code;
}

/** The newest link that was mailed to this address. */
export async function mailedLink({ call }: Service, email: string, path: string): Promise<string> {
  const { mails } = await call('GET', '/sandbox/mail', null);
  for (const { to, text } of mails as { to: string; text: string }[]) {
    const link = to === email ? new RegExp(`https?://\\S+${path}\\S*`).exec(text)?.[0] : undefined;
    if (link) return link;
  }
  throw new Error(`No mail to ${email} links to ${path}.`);
}

/** Signed up and verified, as the button of the mailed page does it. */
export async function newCustomer(service: Service, name?: string, email?: string): Promise<Person> {
  const person = await newPerson(service, name, email);
  const token = new URL(await mailedLink(service, person.email, '/verify-email')).searchParams.get('token');
  await service.call('POST', '/api/auth/verify-email', person.token, { token });
  return person;
}

/** Paid at the sandbox, whose signed event brings the plan. */
export async function buy(service: Service, { token }: Person, tier: 'solo' | 'agent' | 'studio'): Promise<void> {
  const { checkout } = await service.call('POST', '/api/checkout/tier', token, { plan_code: tier });
  const paid = await fetch(`${service.url}${new URL(checkout.url).pathname}/pay`, {
    method: 'POST',
    redirect: 'manual',
  });
  if (paid.status >= 400) throw new Error(`Paying answered ${paid.status}.`);
}

export const logo = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions:
    'Brand name: Rise Bakery, “Bread before seven”\n\nTarget audience: Families and commuters within two miles of the shop\n\nStyle preferences: Warm and hand-made, dark green and cream, no wheat ears',
};

export async function newJob(
  { call }: Service,
  { token }: Person,
  changes: Partial<typeof logo & { wanted_by: string }> = {},
): Promise<string> {
  return (await call('POST', '/api/v1/jobs', token, { ...logo, ...changes })).job.id;
}

type Move = 'accept' | 'start' | 'submit' | 'pass' | 'return' | 'reject';

/** Moves at the desk, one after the other. */
export async function move({ call, operatorToken }: Service, job: string, ...moves: (Move | { submit: object })[]) {
  for (const one of moves) {
    const [name, body] = typeof one === 'string' ? [one, bodies[one]] : ['submit', one.submit];
    await call('POST', `/api/operator/v1/jobs/${job}/${name}`, operatorToken, body);
  }
}

const bodies: Partial<Record<Move, object>> = {
  submit: { message: 'Here is the first delivery. Tell us what you think of the ear.' },
  return: { note: 'Once more, please.' },
  reject: { code: 'out_of_scope', message: 'We do not make shop signs.' },
};

const types: Record<string, string> = {
  '.png': 'image/png',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.mkv': 'video/x-matroska',
  '.svg': 'image/svg+xml',
  '.tif': 'image/tiff',
  '.psd': 'image/vnd.adobe.photoshop',
};

/** Uploads a file of the fixtures as a deliverable; answers its id. */
export async function deliver({ call, operatorToken }: Service, job: string, path: URL | string): Promise<string> {
  const bytes = readFileSync(path);
  const name = basename(path instanceof URL ? path.pathname : path);
  const { file, upload } = await call('POST', `/api/operator/v1/jobs/${job}/files/presign`, operatorToken, {
    file_name: name,
    content_type: types[extname(name)],
    size_bytes: bytes.length,
  });
  const put = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });
  if (!put.ok) throw new Error(`The upload answered ${put.status}.`);
  await call('POST', `/api/operator/v1/files/${file.id}/complete`, operatorToken);
  return file.id;
}

/** All the way to the customer, with these files; some services need no look of the studio before. */
export async function handOver(service: Service, job: string, files: URL[], message?: string): Promise<void> {
  const file_ids: string[] = [];
  for (const file of files) file_ids.push(await deliver(service, job, file));
  const body = { file_ids, message: message ?? 'Here it is.' };
  const submitted = await service.call('POST', `/api/operator/v1/jobs/${job}/submit`, service.operatorToken, body);
  if (submitted.job.status === 'needs_review') await move(service, job, 'pass');
}

/** With the concierge, about a logo; one answer is known. */
export async function newConversation({ call }: Service, { token }: Person): Promise<string> {
  const { intake_session: session } = await call('POST', '/api/v1/intake/sessions', token, {
    service_family: logo.service_family,
    service_type: logo.service_type,
    message: 'We are opening a bakery on Mill Road in March and need a logo. It is called Rise Bakery.',
  });
  return session.id;
}

/** A logo to start from, with two answers. */
export async function newTemplate({ call }: Service, { token }: Person, name: string): Promise<string> {
  const { template } = await call('POST', '/api/v1/templates', token, {
    name,
    service_family: logo.service_family,
    service_type: logo.service_type,
    answers: [
      { requirement: 'Brand name', answer: 'Rise Bakery, “Bread before seven”' },
      { requirement: 'Style preferences', answer: 'Warm and hand-made, dark green and cream' },
    ],
    words: 'As always, for the shop on Mill Road.',
  });
  return template.id;
}

/** A brand kit with two facts and a picture. */
export async function newBrand(service: Service, { token }: Person): Promise<void> {
  const path = new URL('fixtures/rise-colour.png', import.meta.url);
  const bytes = readFileSync(path);
  const { file, upload } = await service.call('POST', '/api/v1/files/presign', token, {
    purpose: 'job_reference',
    file_name: 'rise-colour.png',
    content_type: 'image/png',
    size_bytes: bytes.length,
  });
  const { status } = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });
  if (status !== 200) throw new Error(`The upload answered ${status}.`);
  await service.call('POST', `/api/v1/files/${file.id}/complete`, token);
  const facts = [
    { label: 'Brand name', text: 'Rise Bakery, “Bread before seven”' },
    { label: 'Colours', text: 'Dark green #1f4d3a and cream #f5efe0, never on photos' },
    { label: 'Tone of voice', text: 'Warm and plain.\nNo exclamation marks, no puns on bread.' },
  ];
  await service.call('PUT', '/api/v1/brand', token, { facts, file_ids: [file.id] });
}
