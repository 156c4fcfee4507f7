import { expect, test } from 'vitest';
import type { Preflight } from '../../client/generated/types.gen.ts';
import {
  blocking,
  draftOf,
  fillFields,
  missingOf,
  openOrder,
  takeChecked,
  type ToolCatalog,
  verdictOf,
  whyNotSent,
} from './order-state.ts';

const hint = (requirement: string, optional = false) => ({ requirement, hint: '', example: '', optional });
const catalog = {
  service_families: [
    {
      id: 'design',
      intake_requirements: ['Brand name', 'Sizes', 'Colours'],
      intake_hints: [hint('Brand name'), hint('Sizes'), hint('Colours', true)],
      service_options: [
        { id: 'logo', intake_requirements: [{ label: 'Brand name' }, { label: 'Colours' }] },
        { id: 'sign' },
      ],
    },
  ],
} as unknown as ToolCatalog;
const preflight = { blocking_reasons: [] } as unknown as Preflight;
const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo',
  customer_instructions: 'Like early morning.\n\ncolours: dark green',
  file_ids: ['file_1'],
};

test('the instructions of a draft become fields, and instructions again', () => {
  const order = openOrder(draft, { preflight });
  fillFields(order, catalog);
  expect([order.answers, order.words]).toEqual([{ Colours: 'dark green' }, 'Like early morning.']);
  expect(missingOf(order).map(({ label }) => label)).toEqual(['Brand name']);
  order.answers['Brand name'] = 'Rise';
  order.title = ' A logo ';
  expect(draftOf(order)).toEqual({
    ...draft,
    customer_title: 'A logo',
    customer_instructions: 'Brand name: Rise\n\nColours: dark green\n\nLike early morning.',
  });
});

test('what the person answered in the form of the host is part of the order', () => {
  const customer_instructions = `${draft.customer_instructions}\n\nBrand name: Rise`;
  const order = openOrder(draft, { preflight, customer_instructions });
  fillFields(order, catalog);
  expect(order.answers).toEqual({ 'Brand name': 'Rise', Colours: 'dark green' });
  expect(draftOf(order).customer_instructions).toContain('Brand name: Rise');
});

test('what the person answered while the order was checked again is part of it', () => {
  const order = openOrder(draft, { preflight });
  const before = `${draft.customer_instructions}\n\nBrand name: Rise`;
  takeChecked(order, { preflight, customer_instructions: before });
  expect(draftOf(order).customer_instructions).toBe(before);
  fillFields(order, catalog);
  order.answers = {};
  takeChecked(order, { preflight, customer_instructions: 'Early.\n\nBrand name: Rise\nColours: red' });
  expect([order.answers, order.words]).toEqual([{ 'Brand name': 'Rise', Colours: 'red' }, 'Early.']);
  takeChecked(order, { preflight });
  expect([order.answers, order.words]).toEqual([{ 'Brand name': 'Rise', Colours: 'red' }, 'Early.']);
});

test('a draft whose service the catalog does not have stays as it is', () => {
  const order = openOrder({ ...draft, service_type: 'mural' }, { preflight });
  fillFields(order, catalog);
  expect(draftOf(order)).toEqual({ ...draft, service_type: 'mural' });
  expect(missingOf(order)).toEqual([]);
});

test('only what the form cannot change blocks an order', () => {
  const reason = (code: string) => ({ code, message: `Because of ${code}.`, action: '' });
  const blocked = { blocking_reasons: [reason('quota_exceeded'), reason('intake_incomplete')] } as unknown as Preflight;
  expect(blocking(blocked)).toEqual(['Because of quota_exceeded.']);
});

test('an order needs a title and words', () => {
  const order = openOrder(draft, { preflight });
  expect(whyNotSent(order)).toBeNull();
  expect(whyNotSent({ ...order, title: ' ' })).toContain('title');
  expect(whyNotSent({ ...order, words: ' ' })).toContain('Write');
});

test('an option that lists no requirements has all of its family', () => {
  const order = openOrder({ ...draft, service_type: 'sign' }, { preflight });
  fillFields(order, catalog);
  expect(missingOf(order).map(({ label }) => label)).toEqual(['Brand name', 'Sizes']);
});

test('the verdict is that of the check, and says what the draft lacks', () => {
  const reason = (code: string) => ({ code, message: `${code}.`, action: '' });
  const verdict = (...codes: string[]) =>
    verdictOf({ ready_to_create: codes.length === 0, blocking_reasons: codes.map(reason) } as unknown as Preflight);
  expect(verdict()).toEqual({ status: 'Can be ordered', look: 'good', lacks: [] });
  expect(verdict('intake_incomplete')).toEqual({
    status: 'Answers are missing',
    look: 'turn',
    lacks: ['intake_incomplete.'],
  });
  expect(verdict('quota_exceeded', 'intake_incomplete')).toMatchObject({
    status: 'Cannot be ordered now',
    look: 'bad',
  });
});
