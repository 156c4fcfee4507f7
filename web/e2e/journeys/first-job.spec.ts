import { fileURLToPath } from 'node:url';
import { Atelier } from '../../../client/atelier.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, signUpOn } from '../studio.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

test('a stranger signs up, verifies, buys a plan and orders a job with a file @change', async ({ service, openAs }) => {
  const page = await openAs(null);
  const email = `stranger-${Date.now()}@example.com`;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'what the studio makes' }).click();
  // Until then the page before is shown. It has such a link, too.
  await expect(page.getByRole('heading', { name: 'What the studio makes' })).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await signUpOn(page, { name: 'Grace Hopper', email });
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();

  await expect(page.getByText('First steps, 0 of 4.')).toBeVisible();
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('Your e-mail address is not verified.')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for another mail' }).click();
  await page.getByRole('button', { name: 'Send another mail' }).click();
  await expect(page.getByText('Another mail is on its way.')).toBeVisible();

  await page.goto(await mailedLink(service, email, '/verify-email'));
  await page.getByRole('button', { name: 'This address is mine' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is verified' })).toBeVisible();
  await expect(page).not.toHaveURL(/token/);
  await page.getByRole('link', { name: 'Go on' }).click();

  await page.getByRole('link', { name: 'choose a plan' }).click();
  await page.getByRole('button', { name: 'Choose Studio' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('link', { name: /Back to Atelier/ }).click();
  await expect(page.getByText('Studio is active. You can order now.')).toBeVisible();

  await expect(page.getByRole('link', { name: 'Order a job' })).toBeVisible();

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'order your first job' }).click();
  await page.getByRole('link', { name: /^Logo\b/ }).click();
  await expect(page.getByRole('button', { name: 'Order job' })).toBeDisabled();
  await page.getByLabel('Title').fill('Logo for a bakery');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  await expect(page.getByText('1 of 5 answered')).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  const program = { name: 'program.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  await (await chooser).setFiles([fixture('rise-colour.png'), fixture('notes.txt')]);
  const removes = page.getByLabel('Files of the draft').getByRole('button', { name: /^Remove / });
  await expect(removes).toHaveCount(2);

  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await again).setFiles(program);
  await expect(page.getByText(/are not taken\. Send the file in a \.zip\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);

  // The draft with its files survives a reload.
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Logo for a bakery');
  await expect(removes).toHaveCount(2);
  const refused: string[] = [];
  page.on('response', (answer) => void (answer.status() === 422 && refused.push(answer.url())));
  await page.getByRole('button', { name: 'Order with 3 open' }).click();
  await expect(page.getByRole('heading', { name: 'Logo for a bakery' })).toBeVisible();
  expect(refused, 'an order that was sent is not judged again').toEqual([]);
  await expect(page.getByRole('list', { name: 'Your files' })).toBeVisible();
  await expect(page.getByText('rise-colour.png').first()).toBeVisible();
  await expect(page.getByText('You ordered the job')).toBeVisible();
  await expect(page.getByText('attached a file'), 'the order says it').toHaveCount(0);

  // A new job begins anew.
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByLabel('Title')).toHaveValue('');
});

test('an order is made again from an earlier one, with its words and files, as copied answers', async ({
  customer,
  page,
  service,
}) => {
  const file = await new Atelier({ url: service.url, token: customer.token }).uploadFile(fixture('rise-colour.png'));
  const { job } = await service.call('POST', '/api/v1/jobs', customer.token, {
    service_family: 'design',
    service_type: 'logo',
    customer_title: 'Winter logo',
    customer_instructions:
      'Brand name: Rise Bakery\n\nTarget audience: neighbours\nand their friends\n\nPlease be quick.',
    file_ids: [file.id],
  });
  await page.goto(`/jobs/${job.id}`);
  await page.getByRole('link', { name: 'Order again' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Winter logo');
  await expect(page.getByLabel(/^Target audience/)).toHaveValue('neighbours\nand their friends');
  await expect(page.getByLabel('Tell us, or paste your brief')).toHaveValue('Please be quick.');
  await expect(page.getByLabel('Files of the draft')).toContainText('rise-colour.png');
  await expect(page.getByText('copied', { exact: true })).toHaveCount(2);
  const id = new URL(page.url()).searchParams.get('draft');
  const { intake_session: draft } = await service.call('GET', `/api/v1/intake/sessions/${id}`, customer.token);
  expect(draft.answers.map(({ source }: { source: string }) => source)).toEqual(['copied', 'copied']);
  await page.getByRole('button', { name: 'Order with 2 open' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/jobs/job_') && !url.pathname.endsWith(job.id));
  const { job: again } = await service.call('GET', new URL(page.url()).pathname.replace('', '/api/v1'), customer.token);
  expect(again.files).toMatchObject([{ file_name: 'rise-colour.png', status: 'uploaded' }]);
  expect(again.files[0].id).not.toBe(file.id);
});

test('what the page shows as curl creates such a job', async ({ customer, page, service }) => {
  await page.goto('/jobs/new?family=design&type=logo');
  await page.getByLabel('Title').fill("The baker's logo");
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  await expect(page.getByText('Stored as a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Show as curl' }).click();
  const command = await page.getByText(/^curl -sS/).innerText();
  const { execFileSync } = await import('node:child_process');
  const answer = execFileSync('bash', ['-c', command], { env: { ...process.env, ATELIER_KEY: customer.token } });
  const { job } = JSON.parse(answer.toString());
  const read = await service.call('GET', `/api/v1/jobs/${job.id}`, customer.token);
  expect(read.job.customer_title).toBe("The baker's logo");
  expect(read.job.customer_instructions).toBe('Brand name: Rise Bakery');
});
