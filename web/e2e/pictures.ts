import { mkdirSync } from 'node:fs';
import { chromium as playwright } from '@playwright/test';
import { chromium } from './chromium.ts';
import { startService } from './service.ts';
import { buy, handOver, logo, move, newCustomer, newJob } from './studio.ts';

/** Screenshots of every page of the dashboard, in both schemes and two widths, to be looked at. */
const folder = process.argv[2] ?? '.data/pictures';
const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
mkdirSync(folder, { recursive: true });

const service = await startService();
const ada = await newCustomer(service);
await buy(service, ada, 'studio');
const { call } = service;

const titles: [string, string, string][] = [
  ['Stripe to member list', 'software', 'api_integration'],
  ['Autumn menu, proofread', 'writing', 'proofreading'],
  ['Why sourdough keeps', 'writing', 'blog_article'],
  ['Product photos, ceramic bowls', 'design', 'image_cutout'],
  ['Winter sale landing page', 'design', 'landing_page'],
];
const { service_families: families } = await call('GET', '/api/v1/catalog', null);
const jobs: string[] = [];
for (const [title, family, type] of titles) {
  const known = families.find(({ id }: { id: string }) => id === family) ?? families[0];
  const option = known.service_options.find(({ id }: { id: string }) => id === type) ?? known.service_options[0];
  jobs.push(await newJob(service, ada, { customer_title: title, service_family: known.id, service_type: option.id }));
}
const bakery = await newJob(service, ada);
await move(service, jobs[1] ?? '', 'reject');
await move(service, jobs[2] ?? '', 'accept', 'start');
await move(service, jobs[4] ?? '', 'accept');
await move(service, bakery, 'accept', 'start');
await handOver(service, bakery, [fixture('rise-colour.png')], 'A first direction. Tell us what you think of the ear.');
await call('POST', `/api/v1/jobs/${bakery}/revision`, ada.token, {
  customer_instructions: 'Please make the wheat ear warmer and the name larger.',
});
await move(service, bakery, 'start');
await handOver(
  service,
  bakery,
  [fixture('rise-mono.pdf'), fixture('rise-dark.png'), fixture('rise-colour.png')],
  'The ear is warmer now and the name a third larger. The single-colour version is for the bags; we kept the green at the contrast your sign needs.',
);
const { webhook_endpoint: endpoint } = await call('POST', '/api/v1/webhook-endpoints', ada.token, {
  url: 'https://hooks.example.com/atelier',
  description: 'Our build server',
});
await call('POST', '/api/v1/api-keys', ada.token, { name: 'Website order form' });
await call('POST', '/api/auth/invitations', ada.token, { email: 'jonas@example.com', role: 'member' });
const { session } = await call('POST', '/api/v1/intake/sessions', ada.token, {
  service_family: logo.service_family,
  service_type: logo.service_type,
  message: 'We are opening a bakery on Mill Road in March and need a logo. It is called Rise Bakery.',
});
for (const content of [
  'Target audience: families nearby and people walking to the early train',
  'Style preferences: warm and hand-made, dark green and cream',
])
  await call('POST', `/api/v1/intake/sessions/${session.id}/messages`, ada.token, { content });
const newcomer = await newCustomer(service, 'Grace Hopper');

const pages: [string, string, 'ada' | 'newcomer' | 'nobody'][] = [
  ['home', '/', 'ada'],
  ['home-new', '/', 'newcomer'],
  ['jobs', '/jobs', 'ada'],
  ['jobs-empty', '/jobs', 'newcomer'],
  ['job', `/jobs/${bakery}`, 'ada'],
  ['job-rejected', `/jobs/${jobs[1]}`, 'ada'],
  ['job-missing', '/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0', 'ada'],
  ['new-job', '/jobs/new', 'ada'],
  ['order', '/jobs/new?family=design&type=logo', 'ada'],
  ['order-without-plan', '/jobs/new?family=design&type=logo', 'newcomer'],
  ['concierge', '/concierge', 'ada'],
  ['conversation', `/concierge/${session.id}`, 'ada'],
  ['files', '/files', 'ada'],
  ['usage', '/usage', 'ada'],
  ['plans', '/plans', 'ada'],
  ['plans-new', '/plans', 'newcomer'],
  ['keys', '/keys', 'ada'],
  ['keys-empty', '/keys', 'newcomer'],
  ['webhooks', '/webhooks', 'ada'],
  ['webhooks-empty', '/webhooks', 'newcomer'],
  ['webhook', `/webhooks/${endpoint.id}`, 'ada'],
  ['members', '/members', 'ada'],
  ['settings', '/settings', 'ada'],
  ['catalog', '/catalog', 'nobody'],
  ['sign-in', '/sign-in', 'nobody'],
  ['sign-up', '/sign-up', 'nobody'],
  ['reset-password', '/reset-password?token=abc', 'nobody'],
  ['verify-email', '/verify-email?token=abc', 'nobody'],
];
const browser = await playwright.launch(chromium);
for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 390]) {
    const people = { ada, newcomer, nobody: null };
    for (const [who, person] of Object.entries(people)) {
      const context = await browser.newContext({
        baseURL: service.url,
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        viewport: { width, height: width === 390 ? 844 : 900 },
      });
      if (person)
        await context.request.post('/api/auth/sign-in/email', {
          data: { email: person.email, password: person.password },
          headers: { origin: service.url },
        });
      const page = await context.newPage();
      for (const [name, path] of pages.filter(([, , as]) => as === who)) {
        await page.goto(path);
        await page.locator('h1, [role=alert]').first().waitFor();
        await page.waitForTimeout(600);
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
      }
      await context.close();
    }
  }
await browser.close();
await service.stop();
process.stdout.write(`Pictures are in ${folder}\n`);
