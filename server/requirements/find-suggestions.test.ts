import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { findSuggestions } from './find-suggestions.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const found = (family: string, text: string) =>
  Object.fromEntries(
    findSuggestions(catalog.families.get(family)!, null, text).map(({ requirement, answer }) => [requirement, answer]),
  );

test.each([
  ['design', 'Graphics for our sailing school, the Blue Anchors.', { 'Brand name': 'Blue Anchors' }],
  ['design', 'It is for parents of small children', { 'Target audience': 'parents of small children' }],
  ['design', 'a poster, mainly older women who sew', { 'Target audience': 'mainly older women who sew' }],
  ['writing', 'a letter for the members that left', { 'Target audience': 'the members that left' }],
  ['writing', 'They must know that the pool is closed', { 'Key points': 'that the pool is closed' }],
  ['writing', 'I have written a short essay', { 'Main topic': 'a short essay' }],
  ['research', "It's for our annual report and there's no hurry", { Purpose: 'for our annual report' }],
  ['research', 'What do bakers earn in Norway and Sweden', { 'Region and period': 'Norway and Sweden' }],
  ['research', 'A short table with prices is enough', { 'Form of the result': 'A short table with prices' }],
  ['research', 'Is it true that cats see red?', {}],
  [
    'software',
    'At the moment the nurses ring each other',
    { 'Problem to solve': 'At the moment the nurses ring each other' },
  ],
  [
    'software',
    'Since the last update mails go out twice',
    { 'Problem to solve': 'Since the last update mails go out twice' },
  ],
  ['software', 'They open it on their tablets', { 'Platform and stack': 'on their tablets' }],
  ['data', 'We have 90 scans', { 'Size of the data': '90 scans' }],
  ['data', 'I should like to have one table by year', { 'Expected output': 'one table by year' }],
])('%s, %j: %j', (family, text, answers) => expect(found(family, text)).toEqual(answers));
