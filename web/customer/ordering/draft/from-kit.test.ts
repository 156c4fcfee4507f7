import { expect, test } from 'vitest';
import { fromKit } from './from-kit.ts';

type Requirements = Parameters<typeof fromKit>[0];
const asks = (label: string, brand: string | null, kind: Requirements[number]['kind'] = 'text') => ({
  label,
  kind,
  choices: kind === 'choice' ? ['Print', 'Web'] : [],
  optional: false,
  brand,
});

test('a fact of the brand kit answers the question that names it, whatever its case, if it fits', () => {
  const facts = [
    { label: 'colours', text: 'Dark green' },
    { label: 'Medium', text: 'Radio' },
  ];
  const requirements = [
    asks('Style', 'Colours'),
    asks('Audience', 'Target audience'),
    asks('Medium', 'Medium', 'choice'),
  ];
  expect(fromKit([...requirements, asks('Notes', null)], facts)).toEqual([
    { requirement: 'Style', answer: 'Dark green', by: 'brand' },
  ]);
});
