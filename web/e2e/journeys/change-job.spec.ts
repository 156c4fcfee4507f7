import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

test('a customer corrects reference and wish; the desk sees both at once, and reads in the story what changed', async ({
  page,
  service,
  customer,
  openAs,
}) => {
  const id = await newJob(service, customer);
  await move(service, id, 'accept');
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${id}`);
  await expect(desk.getByText('Accepted').first()).toBeVisible();
  await page.goto(`/jobs/${id}`);
  await page.getByRole('button', { name: 'Change reference or wish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change reference or wish' });
  await expect(dialog.getByRole('button', { name: 'Change them' })).toBeDisabled();
  await expectNoFinding(page, 'the dialog that changes a job');
  await expectReadableInDark(page, 'the dialog that changes a job');
  await dialog.getByLabel('Your reference').fill('PO-2026-114');
  await dialog.getByLabel('Wished for').fill('2999-12-05');
  await dialog.getByRole('button', { name: 'Change them' }).click();
  await expect(dialog).toBeHidden();
  const facts = page.getByRole('region').or(page.locator('.panel')).filter({ hasText: 'Ordered by' });
  await expect(facts.getByText('PO-2026-114')).toBeVisible();
  await expect(page.getByText('changed the reference and the wish date')).toBeVisible();
  await expect(desk.getByText('PO-2026-114').first()).toBeVisible();
  await expect(desk.getByText('The customer changed the reference and the wish date')).toBeVisible();

  await page.getByRole('button', { name: 'Change reference or wish' }).click();
  await dialog.getByLabel('Your reference').fill('');
  await dialog.getByRole('button', { name: 'Change them' }).click();
  await expect(dialog).toBeHidden();
  await expect(facts.getByText('PO-2026-114')).toBeHidden();
  await service.call('POST', `/api/v1/jobs/${id}/cancel`, customer.token);
  await expect(page.getByRole('button', { name: 'Change reference or wish' })).toBeHidden();
});
