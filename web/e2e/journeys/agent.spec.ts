import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { logo } from '../studio.ts';

test('a job that an agent made says by which key: in the list, on its page and at the desk', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const { plaintext_key: key } = await service.call('POST', '/api/v1/api-keys', customer.token, {
    name: 'Editor (MCP)',
  });
  const title = `Made by an agent ${Date.now()}`;
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'create_job',
        arguments: { ...logo, customer_title: title, idempotency_key: `agent-${Date.now()}` },
      },
    }),
  });
  expect(await answer.text()).not.toContain('"isError":true');
  await page.goto('/jobs');
  const row = page.getByRole('row', { name: new RegExp(title) });
  await expect(row).toContainText('ordered by the key “Editor (MCP)”');
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Story' }).getByText('the key “Editor (MCP)” ordered the job'),
  ).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'the key “Editor (MCP)”' })).toBeVisible();
  await expect(page.getByText('You ordered the job')).toHaveCount(0);

  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk?q=${encodeURIComponent(title)}`);
  const peek = desk.getByRole('complementary', { name: 'Selected job' });
  await expect(peek).toContainText('the key “Editor (MCP)”');
  await peek.getByRole('link', { name: 'Open' }).click();
  await expect(desk.getByRole('definition').filter({ hasText: 'the key “Editor (MCP)”' })).toBeVisible();
});
