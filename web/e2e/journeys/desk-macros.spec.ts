import type { Page } from '@playwright/test';
import { expectAccessible, expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import type { Service } from '../start-service.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

const path = '/api/operator/v1/macros';

async function forgetMacros({ call, operatorToken }: Service): Promise<void> {
  const { macros } = await call('GET', `${path}?limit=100`, operatorToken);
  for (const { id } of macros) await call('DELETE', `${path}/${id}`, operatorToken);
}

const newMacro = ({ call, operatorToken }: Service, name: string, text: string) =>
  call('POST', path, operatorToken, { name, text });

test.beforeEach(({ service }) => forgetMacros(service));

const macros = (page: Page) => page.getByRole('listbox', { name: 'Macros' });
const story = (page: Page) => page.getByRole('region', { name: 'Story' });
const field = (page: Page) => page.getByLabel('Write to the customer', { exact: true });

async function openJob(page: Page, job: string): Promise<void> {
  await page.goto(`/desk/jobs/${job}`);
  await expect(story(page)).toBeVisible();
}

test('the page of macros explains itself while it is empty; one is written, changed and deleted', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  await expectAccessible(page, '/desk/macros');
  await expect(page.getByText('is written here once')).toBeVisible();
  await page.getByRole('button', { name: 'Write the first macro' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('First sketch');
  await dialog.getByLabel('Text').fill('Hello {customer}, {name}');
  await expect(dialog.getByText('{name} is not known.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Text').fill('Hello {customer}, here is “{title}”.');
  await expect(dialog.getByRole('region', { name: 'Example' })).toContainText('Hello Ada Lovelace, here is “Logo');
  await expectNoFinding(page, 'the dialog of a macro');
  await expectReadableInDark(page, 'the dialog of a macro');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /First sketch/ });
  await expect(row).toContainText('Hello {customer}');

  await page.getByRole('button', { name: 'New macro' }).click();
  await dialog.getByLabel('Name').fill('first SKETCH');
  await dialog.getByLabel('Text').fill('Another one.');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('is the name of another macro')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back' }).click();

  await row.getByRole('button', { name: 'Edit First sketch' }).click();
  await dialog.getByLabel('Text').fill('Here is delivery {round}.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Here is delivery {round}.');
  await row.getByRole('button', { name: 'Delete First sketch' }).click();
  await dialog.getByRole('button', { name: 'Delete the macro' }).click();
  await expect(page.getByRole('button', { name: 'Write the first macro' })).toBeVisible();
});

test('/ lists the macros, Enter inserts one with the facts of the job as text, and the customer gets what was read', async ({
  service,
  customer,
  openAs,
}) => {
  await newMacro(service, 'Thanks', 'Thank you.');
  await newMacro(service, 'First sketch', 'Hello {customer}, delivery {round} of {title} is near.');
  const title = '<img src=x onerror=alert(1)> {round}';
  const job = await newJob(service, customer, { customer_title: title });
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await openJob(page, job);
  await keyboard.press('m');
  await keyboard.type('/');
  await expect(macros(page).getByRole('option')).toHaveCount(2);
  await expectNoFinding(page, 'the list of macros');
  await expectReadableInDark(page, 'the list of macros');
  await keyboard.type('sket');
  await expect(macros(page).getByRole('option')).toHaveCount(1);
  await keyboard.press('Enter');
  const sent = `Hello ${customer.name}, delivery 1 of ${title} is near.`;
  await expect(field(page)).toHaveValue(sent);
  await expect(macros(page)).toHaveCount(0);
  await keyboard.press('Control+Enter');
  await expect(story(page).getByRole('listitem').filter({ hasText: 'is near' })).toContainText(sent);
  const { messages } = await service.call('GET', `/api/v1/jobs/${job}/messages`, customer.token);
  expect(messages[0].text).toBe(sent);
});

test('arrows choose, Esc closes the list and keeps the words, and a slash elsewhere is a slash', async ({
  service,
  customer,
  openAs,
}) => {
  for (const name of ['One', 'Two', 'Three']) await newMacro(service, name, `${name}, {customer}.`);
  const job = await newJob(service, customer);
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await openJob(page, job);
  await keyboard.press('m');
  await keyboard.type('/');
  const chosen = macros(page).getByRole('option', { selected: true });
  await expect(chosen).toContainText('One');
  await keyboard.press('ArrowDown');
  await expect(chosen).toContainText('Three');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowUp');
  await expect(chosen).toContainText('Two');
  await keyboard.press('Escape');
  await expect(macros(page)).toHaveCount(0);
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue('/');
  await field(page).fill('');
  await keyboard.type('and/or');
  await expect(macros(page)).toHaveCount(0);
  await field(page).fill('');
  await keyboard.type('/nothing');
  await expect(page.getByText('None has this name.')).toBeVisible();
});

test('a return and a rejection offer macros too: Esc closes the list before the dialog, and none is inserted that is too long', async ({
  service,
  customer,
  openAs,
}) => {
  await newMacro(service, 'Long', 'x'.repeat(2_001));
  await newMacro(service, 'Short', 'Sorry, {customer}.');
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start', 'submit');
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await openJob(page, job);
  const dialog = page.getByRole('dialog');
  await keyboard.press('R');
  const message = dialog.getByLabel('Message to the customer');
  await expect(message).toBeFocused();
  await keyboard.type('/');
  await expect(macros(page).getByRole('option', { name: /Long/ })).toContainText('Too long for this field');
  await keyboard.press('Enter');
  await expect(message).toHaveValue('/');
  await keyboard.press('Escape');
  await expect(macros(page)).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await message.fill('');
  await keyboard.type('/sh');
  await keyboard.press('Enter');
  await expect(message).toHaveValue(`Sorry, ${customer.name}.`);
  await dialog.getByRole('button', { name: 'Back' }).click();

  await page.getByRole('button', { name: 'Return' }).click();
  await dialog.getByRole('button', { name: 'Macros' }).click();
  await macros(page).getByRole('option', { name: /Short/ }).click();
  await expect(dialog.getByLabel('What should change?')).toHaveValue(`Sorry, ${customer.name}.`);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('a button lists the macros, and a press inserts one where the caret is', async ({
    service,
    customer,
    openAs,
  }) => {
    await newMacro(service, 'Thanks', 'Thank you, {customer}.');
    const job = await newJob(service, customer);
    const page = await openAs(operatorOf(service));
    await openJob(page, job);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await field(page).fill('Good morning. ');
    await page.getByRole('button', { name: 'Macros' }).click();
    await expectNoFinding(page, 'the list of macros on a phone');
    await macros(page)
      .getByRole('option', { name: /Thanks/ })
      .click();
    await expect(field(page)).toHaveValue(`Good morning. Thank you, ${customer.name}.`);
    await expect(field(page)).toBeFocused();
  });
});
