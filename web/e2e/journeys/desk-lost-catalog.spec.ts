import type { Page } from '@playwright/test';
import { busy, getBack, loseAnswers, slow } from '../connection.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import type { Service } from '../start-service.ts';
import { move, newJob } from '../studio.ts';

const path = '/api/operator/v1';
const read = ({ call, operatorToken }: Service, what: string) => call('GET', `${path}/${what}`, operatorToken);
const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

test.describe.configure({ mode: 'serial' });
const versions = 'catalog-versions';
const newest = async (service: Service): Promise<number> =>
  (await read(service, `${versions}?limit=1`)).catalog_versions[0].number;

/** Other tests expect the plain studio. */
test.afterAll(async ({ service }) => {
  const body = { expected_version: await newest(service) };
  await service.call('POST', `${path}/${versions}/1/publish`, service.operatorToken, body);
});

/** On a busy machine the service gives up a check after five seconds. */
const expectNoProblems = (page: Page) =>
  expect(async () => {
    const again = page.getByRole('button', { name: 'Check again' });
    if (await again.isVisible()) await again.click();
    await expect(page.getByText('No problems.')).toBeVisible({ timeout: 8_000 });
  }).toPass();

test('a change that could not be checked says so and is checked later, and a lost publication is made once', async ({
  service,
  openAs,
}) => {
  test.slow();
  const page = await openAs(operatorOf(service));
  page.on('dialog', (warning) => void warning.accept());
  const before = await newest(service);
  await page.goto('/desk/studio?part=catalog');
  const hours = page.getByRole('textbox', { name: 'Hours to the first delivery' });
  await hours.fill('48');
  await expectNoProblems(page);
  await slow(page);
  await hours.fill('49');
  await expect(page.getByText('Checking…')).toBeVisible();
  await page.waitForTimeout(1_500);
  await expect(page.getByText('Checking…')).toBeVisible();
  await expectNoProblems(page);
  await busy(page);
  await hours.fill('50');
  await expect(page.getByText('It could not be checked. The service is busy or restarting.')).toBeVisible();
  await getBack(page);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
  await expectNoProblems(page);
  await page.context().setOffline(true);
  await hours.fill('51');
  await expect(page.getByText('It could not be checked. The service cannot be reached.')).toBeVisible();
  await getBack(page);
  await expectNoProblems(page);

  await page.keyboard.press('Control+s');
  await dialog(page).getByLabel('Note').fill('Slower');
  await loseAnswers(page);
  await button(page, 'Publish').click();
  await expect(dialog(page).getByRole('alert')).toContainText('The service cannot be reached');
  await expect(dialog(page).getByLabel('Note')).toHaveValue('Slower');
  await getBack(page);
  await expect(page.getByText(`Version ${before + 1} is published.`)).toBeVisible();
  await expect(page.getByText('All is published.')).toBeVisible();
  await hours.fill('52');
  await page.keyboard.press('Control+s');
  await expect(button(page, 'Publish')).toBeEnabled();
  await slow(page);
  await button(page, 'Publish').dblclick();
  await expect(page.getByText(`Version ${before + 2} is published.`)).toBeVisible();
  await expect(page.getByText('All is published.')).toBeVisible();
  expect(await newest(service)).toBe(before + 2);
});

test('a tick that is lost is not shown as done, and is made again', async ({ service, customer, openAs }) => {
  test.slow();
  const number = await newest(service);
  const { documents } = (await read(service, `${versions}/${number}`)).catalog_version;
  const withChecklist = (text: string) => text.replace('- id: logo\n', (id) => `${id}        checklist: [Spelling]\n`);
  await service.call('POST', `${path}/${versions}`, service.operatorToken, {
    documents: documents.map((each: { file: string; text: string }) =>
      each.file === 'families.yaml' ? { ...each, text: withChecklist(each.text) } : each,
    ),
    expected_version: number,
  });
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const box = page.getByRole('checkbox', { name: 'Spelling' });
  const alert = page.getByRole('main').getByRole('alert');
  await expect(box).toBeVisible();
  await busy(page);
  await box.click();
  await expect(alert).toContainText('The service is busy or restarting');
  await expect(box).not.toBeChecked();
  await getBack(page);
  await page.context().setOffline(true);
  await box.click();
  await expect(alert).toContainText('The service cannot be reached');
  await expect(box).not.toBeChecked();
  await getBack(page);
  await slow(page);
  await box.dblclick();
  await expect(box).toBeChecked();
  await expect(page.getByRole('heading', { name: 'Checklist: 1 of 1' })).toBeVisible();
  await expect(alert).toHaveCount(0);
});
