import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { newOperator, operatorOf } from '../desk.ts';
import type { Person, Service } from '../start-service.ts';
import { logo, move } from '../studio.ts';
import { expect, test } from '../stage.ts';

const path = '/api/operator/v1/catalog-versions';
type Document = { file: string; text: string | null };

async function newestOf({ call, operatorToken }: Service): Promise<{ number: number; documents: Document[] }> {
  const { catalog_versions: versions } = await call('GET', `${path}?limit=1`, operatorToken);
  return (await call('GET', `${path}/${versions[0].number}`, operatorToken)).catalog_version;
}

const textOf = ({ documents }: { documents: Document[] }, name: string) =>
  documents.find(({ file }) => file === name)?.text ?? '';
const familiesOf = (version: { documents: Document[] }) => textOf(version, 'families.yaml');

/** What the API answered is sent back, but for one text. */
async function publish(
  service: Service,
  file: string,
  change: (text: string) => string,
  token = service.operatorToken,
) {
  const { number, documents } = await newestOf(service);
  const next = documents.map((document) =>
    document.file === file ? { ...document, text: change(document.text ?? '') } : document,
  );
  await service.call('POST', path, token, { documents: next, expected_version: number });
}

const order = ({ call }: Service, { token }: Person, service_type: string) =>
  call('POST', '/api/v1/jobs', token, { ...logo, service_type });

const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: true });
const notPublished = (page: Page) => page.getByRole('region', { name: 'Not published' });
const undo = (page: Page) => notPublished(page).getByRole('button', { name: /^Undo/ });

async function openCatalog(page: Page, more = ''): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/desk/studio?part=catalog${more}`);
  await expect(page.getByRole('heading', { name: 'What customers see' })).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

/** Other tests expect the plain studio. */
test.afterAll(async ({ service }) => {
  const { number } = await newestOf(service);
  await service.call('POST', `${path}/1/publish`, service.operatorToken, { expected_version: number });
});

test('a service changes by its fields; the YAML keeps its comments; each change can be taken back @change', async ({
  service,
  openAs,
  customer,
}) => {
  await order(service, customer, 'logo');
  const before = familiesOf(await newestOf(service));
  const page = await openAs(operatorOf(service));
  await openCatalog(page);
  await field(page, 'Hours to the first delivery').fill('48');
  await field(page, 'Name').fill('Emblem');
  await page.getByRole('checkbox', { name: '“Style preferences” is optional' }).check();
  await expect(page.getByText('3 changes not published.')).toBeVisible();
  await expect(page.getByText(/\d+ open jobs? keeps? 72/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo: Emblem, Name is now “Emblem”' }).click();
  await expect(field(page, 'Name')).toHaveValue('Logo');
  await page.getByText('YAML', { exact: true }).click();
  const text = before
    .replace('turnaround_hours: 72', 'turnaround_hours: 48')
    .replace('mood]\n', 'mood]\n        optional: true\n');
  await expect(page.getByRole('textbox', { name: 'Text of families.yaml' })).toHaveValue(text);
  await page.getByText('Form', { exact: true }).click();
  await expectNoFinding(page, 'the form of a service');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/Turnaround from 72 to 48 hours\. \d+ open jobs? keeps? 72\./)).toBeVisible();
  await expect(dialog.getByText('“Style preferences” is now optional.')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'Lines of families.yaml' })).toContainText('turnaround_hours: 48');
  await expectNoFinding(page, 'what is published, in words');
  await dialog.getByLabel('Note').press('Control+Enter');
  await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
  expect(familiesOf(await newestOf(service))).toBe(text);
});

test('problems stand at their fields, and the list leads there', async ({ service, openAs }) => {
  const page = await openAs(operatorOf(service));
  await openCatalog(page, '&service=design/landing_page');
  await field(page, 'Hours to the first delivery').fill('soon');
  await page.getByRole('combobox', { name: 'Kind of “Where it will be used”' }).selectOption('choice');
  await expect(page.getByText('2 problems: nothing can be published like this.')).toBeVisible();
  await expect(page.getByRole('alert')).not.toContainText('families.yaml');
  await expect(page.getByText('This must be a whole number.').first()).toBeVisible();
  await expectNoFinding(page, 'the form with problems');
  await page.getByRole('button', { name: 'Blog article' }).click();
  await page.getByRole('button', { name: /^Landing page design: turnaround hours/ }).click();
  await expect(field(page, 'Hours to the first delivery')).toBeFocused();
  await page.getByRole('button', { name: /“Where it will be used” choices/ }).click();
  await expect(field(page, 'Choices')).toBeFocused();
  await field(page, 'Choices').fill('On a sign\nOn the web');
  await field(page, 'Hours to the first delivery').fill('96');
  await expect(page.getByText('No problems.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('button', { name: 'Face', exact: true }).click();
  await field(page, 'Monday').fill('9-12');
  await field(page, 'Holidays').fill('2026-13-01');
  await expect(
    page.getByText('This must be a span of a day such as 09:00-12:30, at most until 24:00.').first(),
  ).toBeVisible();
  await expect(page.getByRole('alert')).not.toContainText('studio.yaml');
  await page
    .getByRole('button', { name: /^Holidays/ })
    .first()
    .click();
  await expect(field(page, 'Holidays')).toBeFocused();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a type of files is added, another removed, and the rest of file-types.yaml stays @change', async ({
  service,
  openAs,
}) => {
  const before = textOf(await newestOf(service), 'file-types.yaml');
  const page = await openAs(operatorOf(service));
  await openCatalog(page);
  await page.getByRole('button', { name: 'File types', exact: true }).click();
  await expect(page.getByText(/^Every studio takes \.txt, \.md, /)).toBeVisible();
  await page.getByRole('button', { name: 'Add a type' }).click();
  await expect(page.getByPlaceholder('image/x-sketch').last()).toBeFocused();
  await page.keyboard.type('image/png');
  await expect(page.getByText('2 problems: nothing can be published like this.')).toBeVisible();
  await expect(page.getByText('This is a type that every installation takes.').first()).toBeVisible();
  await expectNoFinding(page, 'the form of file types with problems');
  await page.getByRole('button', { name: 'Blog article' }).click();
  await page.getByRole('button', { name: /^image\/png: endings/ }).click();
  await expect(field(page, 'Endings of image/png')).toBeFocused();
  await page.keyboard.type('.sketchy, skt');
  await page.getByPlaceholder('image/x-sketch').last().fill('image/x-sketch');
  await page.getByRole('button', { name: 'Remove model/stl' }).click();
  await expect(field(page, 'Endings of model/vnd.usdz+zip')).toBeVisible();
  await field(page, 'Endings of text/css').fill('css, scss');
  await expect(notPublished(page).getByText('Endings of text/css')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: File types, Endings of text/css' }).click();
  await expect(field(page, 'Endings of text/css')).toHaveValue('css');
  await expect(notPublished(page).getByRole('listitem')).toHaveText([
    'File type image/x-sketch addedFile types',
    'File type model/stl removedFile types',
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('combobox', { name: 'Family or service' })).toHaveValue('file-types');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('File type image/x-sketch added.')).toBeVisible();
  await dialog.getByLabel('Note').press('Control+Enter');
  await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
  expect(textOf(await newestOf(service), 'file-types.yaml')).toBe(
    `${before.replace(/^ {2}- media_type: model\/stl\n(?: {4}.*\n)+/m, '')}  - media_type: image/x-sketch
    extensions: [sketchy, skt]
`,
  );
});

test('a checklist is begun in the form, and taken away by emptying it', async ({ service, openAs }) => {
  const page = await openAs(operatorOf(service));
  await openCatalog(page);
  await field(page, 'Checklist').fill('Names are spelled right\nColours are in CMYK');
  await expect(page.getByText('No problems.')).toBeVisible();
  await expect(notPublished(page).getByText('Checklist changed')).toBeVisible();
  await field(page, 'Checklist').fill('');
  await expect(page.getByText('All is published.')).toBeVisible();
});

test('a maker ticks the checklist: the box shows it at once, and submitting waits for all of it', async ({
  service,
  openAs,
  customer,
}) => {
  await publish(service, 'families.yaml', (text) =>
    text.replace('- id: logo\n', (id) => `${id}        checklist: [Names are spelled right]\n`),
  );
  const { job } = await order(service, customer, 'logo');
  await move(service, job.id, 'accept', 'start');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job.id}`);
  await page.getByLabel('Message to the customer').fill('Here it is.');
  await expect(page.getByRole('button', { name: 'Submit for review' })).toBeDisabled();
  const box = page.getByRole('checkbox', { name: 'Names are spelled right' });
  await box.check();
  await expect(page.getByRole('heading', { name: 'Checklist: 1 of 1' })).toBeVisible();
  await expect(box).toBeChecked();
  await expect(page.getByRole('button', { name: 'Submit for review' })).toBeEnabled();
});

test('questions are put in another order by keys, and a service is duplicated and retired', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  await openCatalog(page);
  await page.getByRole('button', { name: 'Move “Brand name” with the arrow keys' }).press('ArrowDown');
  await expect(page.getByText('Brand name is now 2 of 5.')).toBeAttached();
  await expect(page.getByText('Questions are asked in another order')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Brand name is now 3 of 5.')).toBeAttached();
  await page.getByRole('button', { name: 'Open “Brand name”' }).click();
  await page.getByRole('button', { name: 'Move up' }).click();
  await expect(page.getByText('Brand name is now 2 of 5.')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Close “Brand name”' })).toBeVisible();
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('dialog').getByLabel('Name').press('Enter');
  await expect(page.getByText('design.logo_2')).toBeVisible();
  await expect(notPublished(page).getByText('New service')).toBeVisible();
  await page.getByRole('button', { name: 'Image cut-outs' }).click();
  await page.getByRole('button', { name: 'Retire' }).click();
  await expect(notPublished(page).getByText('No longer offered')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Offer again' })).toBeVisible();
  await expect(undo(page)).toHaveCount(3);
  for (let left = 3; left > 0; left -= 1) await undo(page).first().click();
  await expect(page.getByText('All is published.')).toBeVisible();
});

test('one writes in the form, another published YAML: the change is kept and published once the difference was seen', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const colleague = await newOperator(service, 'Ben Achterberg');
  await openCatalog(page);
  await field(page, 'Rounds of changes').fill('4');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Note')).toBeVisible();
  await publish(service, 'plans.yaml', (text) => `# By Ben\n${text}`, colleague.token);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByText(/Ben Achterberg published version \d+/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: /^Go on from version/ }).click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText(/^Version \d+ is published\.$/)).toBeVisible();
  const newest = await newestOf(service);
  expect(familiesOf(newest)).toContain('revision_rounds: 4');
  expect(textOf(newest, 'plans.yaml')).toContain('# By Ben');
});

test('going back retires what was ordered since, says so, and can be edited first', async ({
  service,
  openAs,
  customer,
}) => {
  const flyer = (text: string) =>
    text.replace(
      '      - id: logo\n',
      (logo) => `      - id: flyer
        name: Flyer
        description: Two pages.
        turnaround_hours: 24
        auto_approval_hours: 48
${logo}`,
    );
  await publish(service, 'families.yaml', flyer);
  await order(service, customer, 'flyer');
  const { number } = await newestOf(service);
  const page = await openAs(operatorOf(service));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/desk/studio?part=versions&version=1');
  await page.getByRole('button', { name: 'Publish again' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/^Design · Flyer came after version 1/)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Going back in families.yaml' })).toContainText('retired: true');
  await expectNoFinding(page, 'going back');
  await dialog.getByRole('button', { name: 'Open in the editor' }).click();
  await page.getByRole('button', { name: 'Flyer retired changed' }).click();
  await expect(page.getByText('No problems.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.goto('/desk/studio?part=versions&version=1');
  await page.getByRole('button', { name: 'Publish again' }).click();
  await dialog.getByRole('button', { name: `Publish as version ${number + 1}` }).click();
  await expect(page.getByRole('heading', { name: `Version ${number + 1} served` })).toBeVisible();
  expect(familiesOf(await newestOf(service))).toMatch(/id: flyer[^]*retired: true/);
});
