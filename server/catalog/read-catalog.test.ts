import { beforeAll, describe, expect, test } from 'vitest';
import { jobStatuses } from '../../contract/moves.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { readCatalog } from './read-catalog.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const read = (ifNoneMatch?: string) =>
  service.call(
    'GET',
    '/api/v1/catalog',
    ifNoneMatch === undefined ? {} : { headers: { 'if-none-match': ifNoneMatch } },
  );

test('200 with families, their options and the job statuses', async () => {
  const { body } = await read();
  expect(Object.keys(body)).toEqual(['service_families', 'job_statuses', 'business_hours']);
  expect(body.business_hours).toBeNull();
  expect(body.job_statuses).toEqual([...jobStatuses]);
  const design = body.service_families.find(({ id }: { id: string }) => id === 'design');
  expect(design).toMatchObject({
    name: 'Design',
    intake_requirements: expect.arrayContaining(['Brand name', 'Target audience']),
    quality_signals: expect.arrayContaining(['Delivered in every format asked for, with source files']),
    service_options: expect.arrayContaining([
      expect.objectContaining({ id: 'logo', name: 'Logo', revision_rounds: 3, quality_review: true }),
      expect.objectContaining({ id: 'landing_page', revision_rounds: 2 }),
      expect.objectContaining({ id: 'image_cutout', revision_rounds: 1, quality_review: false }),
    ]),
  });
});

test('200 gives each requirement its hint, in order, with unique ids', async () => {
  const { body } = await read();
  const ids = body.service_families.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const family of body.service_families) {
    expect(family.intake_hints.map(({ requirement }: { requirement: string }) => requirement)).toEqual(
      family.intake_requirements,
    );
    const options = family.service_options.map(({ id }: { id: string }) => id);
    expect(new Set(options).size).toBe(options.length);
  }
});

test('200 with form=index: ids and names of what can be ordered', async () => {
  const whole = (await read()).body;
  const { body } = await service.call('GET', '/api/v1/catalog?form=index');
  expect(body).toMatchObject({ service_families: [], job_statuses: whole.job_statuses });
  type Named = { id: string; name: string };
  const inShort = ({
    id,
    name,
    description,
    service_options,
  }: Named & { description: string; service_options: Named[] }) => ({
    id,
    name,
    description,
    service_options: service_options.map((option) => ({ id: option.id, name: option.name })),
  });
  expect(body.index).toEqual(whole.service_families.map(inShort));
  expect((await service.call('GET', '/api/v1/catalog?form=whole')).body).toEqual(whole);
});

test('200 with a service_family: only that one, as it is in the whole catalog', async () => {
  const whole = (await read()).body;
  for (const query of ['service_family=writing', 'service_family=writing&form=index']) {
    const { body, headers } = await service.call('GET', `/api/v1/catalog?${query}`);
    const service_families = whole.service_families.filter(({ id }: { id: string }) => id === 'writing');
    expect(body).toEqual({ ...whole, service_families });
    expect(headers.get('etag')).toBe((await read()).headers.get('etag'));
  }
});

test.each([
  ['service_family=nowhere', /^service_family: is not in the catalog\. Known ids: design, /],
  ['form=short', /^form: must be one of whole, index$/],
])('400 invalid_request: %s', async (query, message) => {
  const { status, body } = await service.call('GET', `/api/v1/catalog?${query}`);
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    'invalid_request',
    expect.stringMatching(message),
  ]);
});

test('200 shows none of the patterns that check texts', async () => {
  expect(JSON.stringify((await read()).body)).not.toMatch(/answered_by|patterns|policy|\\\\b/);
});

describe('ETag', () => {
  test('304 without a body for a reader with the same ETag', async () => {
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toContain('max-age');
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers } = await read(header);
      expect([status, body, headers.get('etag')], header).toEqual([304, undefined, etag]);
    }
  });

  test('200 for a reader with another ETag', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    for (const header of ['"other"', '', etag.slice(1, -1), etag.replace('"', '"x')])
      expect((await read(header)).status, header).toBe(200);
  });
});

test('200 with any credential: the route is public', async () => {
  for (const as of ['atl_not_a_key', { cookie: 'atelier.session_token=x' }])
    expect((await service.call('GET', '/api/v1/catalog?paid=1&plan=studio', { as })).status).toBe(200);
});

test('the whole catalog and its index are answered by frozen bodies, whose bytes are made once', () => {
  const { catalog } = service.context;
  const bodyOf = (query: object) => readCatalog({ catalog }, { headers: {}, query }).body;
  expect(bodyOf({})).toBe(catalog.view);
  expect(bodyOf({ form: 'index', retired: 'omit' })).toBe(catalog.index);
  expect([catalog.view, catalog.index].every(Object.isFrozen)).toBe(true);
});
