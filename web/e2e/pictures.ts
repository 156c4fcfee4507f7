import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium as playwright, type Page } from '@playwright/test';
import sharp from 'sharp';
import { chromium } from './chromium.ts';
import { operatorOf } from './desk.ts';
import { type Day, makeDay } from './pictured-day.ts';
import { type Person, startService } from './start-service.ts';

/**
 * Screenshots of every page of both apps, in both schemes and two widths, to be looked at, and the two of the
 * README. `npm run pictures -- folder '^(job|desk)-1440'` takes only what fits the pattern.
 */
const folder = process.argv[2] ?? '.data/pictures';
const only = process.argv[3];
mkdirSync(folder, { recursive: true });

const ofReadme = new URL('../../docs/', import.meta.url);

type Picture = [name: string, path: string, before?: (page: Page) => Promise<unknown>];
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click({ timeout: 3_000 });
const keys =
  (...pressed: string[]) =>
  async (page: Page) => {
    for (const key of pressed) await page.keyboard.press(key);
  };

/** From the page of an account at the desk. */
const viewing = (path: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'View as this customer' }).click({ timeout: 3_000 });
  await page.getByText('as its owner would see it').waitFor();
  await page.goto(path);
  await page.getByText('as its owner would see it').waitFor();
};

/** In the composer, which a phone shows behind a button. */
async function listMacros(page: Page): Promise<void> {
  const write = page.getByRole('button', { name: 'Write', exact: true });
  if (await write.isVisible()) await write.click();
  await page.getByLabel('Write to the customer', { exact: true }).focus();
  await page.keyboard.type('/');
  await page.getByRole('listbox', { name: 'Macros' }).scrollIntoViewIfNeeded({ timeout: 3_000 });
}

async function examineNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Examine now' }).click({ timeout: 3_000 });
  await page.getByText('Fine', { exact: true }).waitFor({ timeout: 60_000 });
}

const newerRelease = JSON.stringify({
  format: 1,
  version: '0.9.0',
  released_at: '2027-02-01',
  upgrade_from: '0.2.0',
  node: 26,
  postgres: { oldest: 15, newest: 18 },
  migrations: ['0061_examinations', '0062_more'],
  what_to_do: ['Run `npm run admin -- doctor` of this version before you start it.', 'Import rules.yml anew.'],
});

async function chooseRelease(page: Page, text: string): Promise<void> {
  const file = { name: '0.9.0.release.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file, { timeout: 3_000 });
  await page.getByText(/needs Node|not that of a release/).scrollIntoViewIfNeeded({ timeout: 3_000 });
}

async function publishName(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northlight Studio');
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByLabel('Note').waitFor({ timeout: 3_000 });
}

const ofCustomer = ({ bakery, rejected, completed, running, reviewed, conversation, endpoint }: Day): Picture[] => [
  ['home', '/'],
  ['home-navigation', '/', (page) => page.getByRole('button', { name: 'Open the navigation' }).click({ timeout: 500 })],
  ['home-palette', '/', keys('Control+k')],
  ['home-keys', '/', keys('?')],
  ['jobs', '/jobs'],
  ['jobs-none-like-this', '/jobs?q=nothing-like-it'],
  ['job', `/jobs/${bakery}`],
  ['job-approve', `/jobs/${bakery}`, press('Approve')],
  ['job-changes', `/jobs/${bakery}`, keys('r')],
  ['job-file', `/jobs/${bakery}`, press('Open rise-colour.png')],
  ['job-rejected', `/jobs/${rejected}`],
  ['job-completed', `/jobs/${completed}`],
  ['job-running', `/jobs/${running}`],
  ['job-in-review', `/jobs/${reviewed}`],
  ['job-missing', '/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0'],
  ['new-job', '/jobs/new'],
  ['order', '/jobs/new?family=design&type=logo'],
  ['order-again', `/jobs/new?from=${bakery}`],
  ['order-curl', `/jobs/new?from=${bakery}`, press(/curl/)],
  ['catalog-signed-in', '/', (page) => page.goto('/catalog')],
  ['concierge', '/concierge'],
  ['conversation', `/concierge/${conversation}`],
  ['templates', '/templates'],
  ['templates-rename', '/templates', press(/^Rename/)],
  ['templates-delete', '/templates', press(/^Delete/)],
  ['order-template', `/jobs/new?from=${bakery}`, press('Save as template')],
  ['library', '/library'],
  ['usage', '/usage'],
  ['usage-quarter', '/usage', (page) => page.getByText('Last 90 days').click({ timeout: 3_000 })],
  ['plans', '/plans'],
  ['keys', '/keys'],
  ['keys-new', '/keys', press('New key')],
  ['webhooks', '/webhooks'],
  ['webhook', `/webhooks/${endpoint}`],
  ['brand', '/brand'],
  ['members', '/members'],
  ['members-invite', '/members', press(/Invite/)],
  ['settings', '/settings'],
  ['bell', '/', press(/^Notifications/)],
  ['desk-forbidden', '/desk'],
];
const ofAsked = ({ connect, connectReading, connectRefused, connectUnchecked, device }: Day): Picture[] => [
  ['connect', connect],
  ['connect-reading', connectReading],
  ['connect-refused', connectRefused],
  ['connect-unchecked', connectUnchecked],
  ['connect-unknown', '/connect?error=invalid_client'],
  ['device', device],
  ['device-code', '/device'],
  ['device-wrong', '/device?user_code=BCDFGHJK'],
  ['connected-apps', '/keys'],
  ['connected-apps-end', '/keys', press(/^End the access of/)],
  ['connected-apps-mine', '/settings'],
];
const ofNewcomer: Picture[] = [
  ['home-new', '/'],
  ['jobs-empty', '/jobs'],
  ['order-without-plan', '/jobs/new?family=design&type=logo'],
  ['concierge-new', '/concierge'],
  ['templates-empty', '/templates'],
  ['library-empty', '/library'],
  ['brand-empty', '/brand'],
  ['usage-empty', '/usage'],
  ['plans-new', '/plans'],
  ['keys-empty', '/keys'],
  ['webhooks-empty', '/webhooks'],
];
const ofNobody = ({ checkout, portal, operatorInvitation, connect, device }: Day): Picture[] => [
  ['operator-invitation', operatorInvitation],
  ['operator-invitation-spent', '/operator-invitation?token=abc'],
  ['catalog', '/catalog'],
  ['connect-signed-out', connect],
  ['device-signed-out', device],
  ['sign-in', '/sign-in'],
  ['sign-up', '/sign-up'],
  ['forgot-password', '/forgot-password'],
  ['reset-password', '/reset-password?token=abc'],
  ['verify-email', '/verify-email?token=abc'],
  ['change-email', '/change-email?token=abc'],
  ['unsubscribe', '/unsubscribe?token=abc'],
  ['sandbox-checkout', checkout],
  ['sandbox-paid', `${checkout}/paid`],
  ['sandbox-portal', portal],
  ['sandbox-mail', '/sandbox/mail'],
  ['no-such-page', '/no-such-page'],
];
const ofOperator = ({ bakery, rejected, reviewed, running, waiting, account, operatorInvitation }: Day): Picture[] => [
  ['desk', '/desk'],
  ['desk-palette', '/desk', keys('Control+k')],
  ['desk-bell', '/desk', press(/^Notifications/)],
  ['desk-selected', '/desk', keys('j', 'x', 'j', 'j', 'X')],
  ['desk-selected-reject', '/desk', keys('j', 'x', 'j', 'j', 'X', 'R')],
  ['desk-mine', '/desk?tab=mine'],
  ['desk-customer', '/desk?tab=customer'],
  ['desk-parked', '/desk?tab=parked'],
  ['desk-overdue', '/desk?tab=overdue'],
  ['desk-job', `/desk/jobs/${waiting}`],
  ['desk-job-reject', `/desk/jobs/${waiting}`, press('Reject')],
  ['desk-job-macros', `/desk/jobs/${waiting}`, listMacros],
  ['desk-job-in-review', `/desk/jobs/${reviewed}`],
  ['desk-job-with-customer', `/desk/jobs/${bakery}`],
  ['desk-job-rejected', `/desk/jobs/${rejected}`],
  ['desk-accounts', '/desk/accounts'],
  ['desk-account', `/desk/accounts/${account}`],
  ['desk-account-suspend', `/desk/accounts/${account}`, press('Suspend')],
  ...['/', '/jobs', `/jobs/${bakery}`, `/jobs/${running}`, '/usage', '/plans', '/members', '/keys', '/catalog'].map(
    (path): Picture => [
      `view-${/\w+/.exec(path.replace(bakery, 'delivered').replace(running, 'running').replace('/jobs/', ''))?.[0] ?? 'home'}`,
      `/desk/accounts/${account}`,
      viewing(path),
    ],
  ),
  ['desk-account-adjust', `/desk/accounts/${account}`, press(/^Adjust quota/)],
  ['desk-macros', '/desk/macros'],
  ['desk-macros-new', '/desk/macros', press('New macro')],
  ['desk-workers', '/desk/workers'],
  ['desk-money', '/desk/money'],
  ['desk-payments', '/desk/payments'],
  ['desk-payments-all', '/desk/payments?outcome=all'],
  ['desk-figures', '/desk/figures'],
  ['desk-reports', '/desk/reports'],
  ['desk-reports-customers', '/desk/reports?per=customer'],
  ['desk-reports-empty', '/desk/reports?from=2020-01-01&to=2020-01-02'],
  ['desk-audit', '/desk/audit'],
  ['desk-operators', '/desk/operators'],
  ['desk-operators-change', '/desk/operators', press('Change')],
  ['desk-operators-invite', '/desk/operators', press(/^Invite/)],
  ['desk-operators-remove', '/desk/operators', press(/^Remove/)],
  ['desk-apps', '/desk/apps'],
  ['desk-apps-new', '/desk/apps', press(/^New app/)],
  ['desk-health-never', '/desk/health'],
  ['desk-health', '/desk/health', examineNow],
  ['desk-health-newer', '/desk/health', (page) => chooseRelease(page, newerRelease)],
  ['desk-health-no-release', '/desk/health', (page) => chooseRelease(page, '{}')],
  ['operator-invited-other', operatorInvitation],
  ['desk-studio', '/desk/studio'],
  ['desk-studio-publish', '/desk/studio', publishName],
  ['desk-studio-catalog', '/desk/studio?part=catalog'],
  ['desk-studio-file-types', '/desk/studio?part=catalog&service=file-types'],
  ['desk-studio-yaml', '/desk/studio?part=catalog&view=yaml'],
  ['desk-studio-plans', '/desk/studio?part=plans'],
  ['desk-studio-pictures', '/desk/studio?part=catalog&view=yaml&file=pictures'],
  ['desk-studio-versions', '/desk/studio?part=versions'],
  ['desk-studio-version', '/desk/studio?part=versions&version=1'],
];

const service = await startService();
const browser = await playwright.launch(chromium);
try {
  const day = await makeDay(service);
  const people: [Person | null, Picture[]][] = [
    [day.ada, [...ofCustomer(day), ...ofAsked(day)]],
    [day.newcomer, ofNewcomer],
    [null, ofNobody(day)],
    [operatorOf(service), ofOperator(day)],
  ];
  for (const width of [1440, 390])
    for (const [person, pictures] of people) {
      const context = await browser.newContext({
        baseURL: service.url,
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        viewport: { width, height: width === 390 ? 844 : 900 },
      });
      if (person) await signIn(context, person);
      for (const picture of pictures) await take(context, picture, width);
      await context.close();
    }
} finally {
  await browser.close();
  await service.stop();
}
process.stdout.write(`Pictures are in ${folder}\n`);

function signIn(context: BrowserContext, { email, password }: Person) {
  return context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: service.url },
  });
}

async function take(context: BrowserContext, [name, path, before]: Picture, width: number): Promise<void> {
  if (only && !new RegExp(only).test(`${name}-${width}`)) return;
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  await before?.(page).then(
    () => page.waitForTimeout(400),
    () => process.stdout.write(`${name} ${width}: what it shows is not there\n`),
  );
  if (!before) await grow(page, width);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(100);
    const picture = await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
    if (colorScheme === 'light' && width === 1440 && ['job', 'desk'].includes(name))
      await sharp(picture)
        .webp({ quality: 80 })
        .toFile(fileURLToPath(new URL(`${name}.webp`, ofReadme)));
  }
  await page.close();
}

/** A window as high as the page, so that what sticks to its edges stands where it would. */
async function grow(page: Page, width: number): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(Math.max(height, 844), 4_000) });
}
