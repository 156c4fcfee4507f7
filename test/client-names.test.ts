import { expect, test } from 'vitest';
import { labelOf } from '../client/upload.ts';
import { uploadFields } from '../contract/files/uploads.ts';
import { livingNames, refusedNames } from './support/names.ts';

const { pattern = '' } = uploadFields.file_name as { pattern?: string };
const takes = (name: string) => new RegExp(pattern, 'u').test(name);

test.each(livingNames)('the client sends %j as it is', (name) => {
  expect(labelOf(name)).toBe(name);
  expect(takes(name)).toBe(true);
});

test.each(refusedNames)('the client shows what %j hides', (name) => {
  expect(takes(name)).toBe(false);
  expect(labelOf(name)).toContain('_');
  expect(takes(labelOf(name))).toBe(true);
});

test('of every character the client changes exactly those that the service refuses', () => {
  for (let code = 0; code <= 0x10_ff_ff; code++) {
    const name = `a${String.fromCodePoint(code)}`;
    if ((labelOf(name) === name) !== takes(name)) expect.fail(code.toString(16));
  }
});
