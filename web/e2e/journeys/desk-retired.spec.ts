import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';

const versions = '/api/operator/v1/catalog-versions';

/** Other tests expect the shipped catalog. */
test.afterAll(async ({ service: { call, operatorToken } }) => {
  const { catalog_versions } = await call('GET', `${versions}?limit=1`, operatorToken);
  await call('POST', `${versions}/1/publish`, operatorToken, { expected_version: catalog_versions[0].number });
});

test('a retired service keeps its name, questions and filter on both sides, and is not ordered again', async ({
  customer,
  service,
  page,
  openAs,
}) => {
  const { call, operatorToken } = service;
  const { job } = await call('POST', '/api/v1/jobs', customer.token, {
    service_family: 'data',
    service_type: 'data_cleaning',
    customer_title: 'Clean our list',
    customer_instructions: 'Goal: no duplicates\n\nPlease be quick.',
  });
  const { catalog_version: first } = await call('GET', `${versions}/1`, operatorToken);
  const { catalog_versions: newest } = await call('GET', `${versions}?limit=1`, operatorToken);
  const documents = first.documents.map(({ file, text, sha256 }: Record<string, string>) =>
    file === 'families.yaml'
      ? { file, text: text?.replace('  - id: data\n', '  - id: data\n    retired: true\n') }
      : { file, sha256 },
  );
  await call('POST', versions, operatorToken, { documents, expected_version: newest[0].number });

  await page.goto(`/jobs/${job.id}`);
  await expect(page.locator('.job-head')).toContainText('Data · Data cleaning');
  await expect(page.getByText('The studio no longer offers this service.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Order again' })).toHaveCount(0);
  await page.goto('/jobs?family=data');
  await expect(page.getByRole('combobox', { name: 'Service' })).toHaveValue('Data');
  await page.goto('/catalog');
  await expect(page.getByText('Landing page').first()).toBeVisible();
  await expect(page.getByText('Data cleaning')).toHaveCount(0);

  const desk = await openAs(operatorOf(service));
  await desk.goto('/desk?family=data');
  await expect(desk.getByRole('button', { name: 'Remove the filter Data' })).toBeVisible();
  await desk.goto(`/desk/jobs/${job.id}`);
  await expect(desk.getByText('Data · Data cleaning').first()).toBeVisible();
  await expect(desk.getByText('The studio no longer')).toHaveCount(0);
});
