import type { Page } from '@playwright/test';
import { expectAccessible, expectNoFinding } from '../accessible.ts';
import { newOperator, operatorOf } from '../desk.ts';
import type { Service } from '../start-service.ts';
import { expect, test } from '../stage.ts';

const path = '/api/operator/v1/catalog-versions';

/** The newest version with its documents. */
async function newestOf({ call, operatorToken }: Service) {
  const { catalog_versions: versions } = await call('GET', `${path}?limit=1`, operatorToken);
  return (await call('GET', `${path}/${versions[0].number}`, operatorToken)).catalog_version;
}

/** Publishes this text of a file, as a colleague does it. */
async function publish(service: Service, file: string, text: string, token = service.operatorToken): Promise<void> {
  const { number, documents } = await newestOf(service);
  const others = documents.filter((document: { file: string }) => document.file !== file);
  await service.call('POST', path, token, {
    documents: [...others.map(({ file, sha256 }: Record<string, string>) => ({ file, sha256 })), { file, text }],
    expected_version: number,
  });
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of / });

/** The page asks before it is left with changes. */
async function openStudio(page: Page, part = ''): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/desk/studio${part}`);
  await expect(page.getByRole('navigation', { name: 'Parts of the studio' })).toBeVisible();
}

async function publishHere(page: Page, note?: string): Promise<void> {
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  if (note) await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

/** Other tests expect the plain studio. */
test.afterAll(async ({ service }) => {
  const { number } = await newestOf(service);
  await service.call('POST', `${path}/1/publish`, service.operatorToken, { expected_version: number });
});

test('the face is edited, previewed and published; the sign-in page has the new name and accent @change', async ({
  service,
  openAs,
}) => {
  await publish(service, 'studio.yaml', '# Our face\nname: Wintergarten\n');
  const page = await openAs(operatorOf(service));
  await openStudio(page);
  await field(page, 'Name').fill('Northlight Studio');
  await field(page, 'Accent').fill('#ff7a00');
  await expect(page.getByRole('region', { name: 'What customers see' })).toContainText('Northlight Studio');
  await expect(page.getByText('Name and Accent not published.')).toBeVisible();
  await page.getByRole('button', { name: 'Use #ba5700' }).click();
  await expect(field(page, 'Accent')).toHaveValue('#ba5700');
  await page.reload();
  await expect(field(page, 'Name')).toHaveValue('Northlight Studio');
  await publishHere(page, 'The new letterhead.');

  await page.goto('/desk/studio?part=versions');
  const row = page.getByRole('table', { name: 'Versions' }).getByRole('row').nth(1);
  await expect(row).toContainText('The new letterhead.');
  await row.getByRole('link').click();
  const lines = page.getByRole('table', { name: 'Lines of studio.yaml' });
  await expect(lines.getByRole('row', { name: 'Removed: name: Wintergarten' })).toBeVisible();
  await expect(lines.getByRole('row', { name: 'Added: name: Northlight Studio' })).toBeVisible();
  await expect(lines).toContainText('# Our face');

  const visitor = await openAs(null);
  await visitor.goto('/sign-in');
  await expect(visitor.getByRole('link', { name: 'Northlight Studio' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Sign in', exact: true })).toHaveCSS(
    'background-color',
    'rgb(186, 87, 0)',
  );
});

test('a mistake in families.yaml shows its line, and nothing is published', async ({ service, openAs }) => {
  const before = await newestOf(service);
  const page = await openAs(operatorOf(service));
  await openStudio(page, '?part=catalog&view=yaml');
  const text = await editor(page).inputValue();
  const mistake = text.replace(/turnaround_hours: \d+/, 'turnaround_hours: soon');
  const line = mistake.slice(0, mistake.indexOf('turnaround_hours: soon')).split('\n').length;
  await editor(page).fill(mistake);
  await page.getByRole('button', { name: new RegExp(`^families.yaml:${line} `) }).click();
  await expect(editor(page)).toBeFocused();
  expect(
    await editor(page).evaluate(
      (area: HTMLTextAreaElement) => area.value.slice(0, area.selectionStart).split('\n').length,
    ),
  ).toBe(line);
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: new RegExp(`families.yaml:${line}`) })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(editor(page)).toHaveValue(text);
  expect((await newestOf(service)).number).toBe(before.number);
});

test('somebody else publishes meanwhile: the text is kept, and published once the difference was seen', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const colleague = await newOperator(service, 'Ben Achterberg');
  await openStudio(page);
  await field(page, 'Tagline').fill('Drawings that hold.');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Note')).toBeVisible();
  await publish(service, 'studio.yaml', '# Our face\nname: Nordlicht\n', colleague.token);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByText(/Ben Achterberg published version \d+/)).toBeVisible();
  await expect(dialog.getByRole('link', { name: /^What version \d+ changed/ })).toBeVisible();
  await dialog.getByRole('button', { name: /^Go on from version/ }).click();
  await expect(dialog.getByRole('row', { name: 'Removed: name: Nordlicht' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
  await expect(field(page, 'Tagline')).toHaveValue('Drawings that hold.');
});

test('an older version is published again, after a question', async ({ service, openAs }) => {
  const { number } = await newestOf(service);
  const page = await openAs(operatorOf(service));
  await openStudio(page, '?part=versions&version=1');
  await page.getByRole('button', { name: 'Publish again' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Publish as version ${number + 1}` })
    .click();
  await expect(page.getByRole('heading', { name: `Version ${number + 1} served` })).toBeVisible();
  await expect(page.getByText('again version 1')).toBeVisible();
  const visitor = await openAs(null);
  await visitor.goto('/sign-in');
  await expect(visitor.getByRole('link', { name: 'Atelier', exact: true })).toBeVisible();
});

test('a maker reads everything and changes nothing', async ({ service, openAs }) => {
  await publish(service, 'studio.yaml', 'name: Wintergarten\n');
  const page = await openAs(await newOperator(service, 'Tom Maker', 'maker'));
  await expectAccessible(page, '/desk/studio');
  await expect(page.getByRole('region', { name: 'Name' })).toContainText('Wintergarten');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Publish|Discard|Replace|Add/ })).toHaveCount(0);
  await page.keyboard.press('2');
  await expect(page.getByRole('heading', { name: 'Logo', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Retire|Duplicate|New |Add|Move/ })).toHaveCount(0);
  await expectNoFinding(page, 'the catalog, read only');
  await page.getByText('YAML', { exact: true }).click();
  await expect(editor(page)).toHaveAttribute('readonly');
  await page.getByRole('button', { name: 'Plans', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Plans' })).toContainText('$49 a month');
  await page.keyboard.press('4');
  await page.getByRole('table', { name: 'Versions' }).getByRole('link').first().click();
  await expect(page.getByRole('button', { name: 'Publish again' })).toHaveCount(0);
  await expectNoFinding(page, 'a version');
});
