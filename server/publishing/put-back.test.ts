import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { putBack } from './put-back.ts';

const families = `# What can be ordered.
families:

  - id: design   # the first
    name: 'Design'
    options:
      # The best-selling one
      - id: logo
        name: "Logo" # as on the site
        formats: [ svg,pdf ]
      - {id: page, name: Page}
  # More to come.
  - { id: print, name: "Print", options: [
      {id: flyer}, # folded
      { id: 'card' } # stiff
    ] }
# The end.
`;
const plans = `plans: # as at the provider
- code: 'solo'
  quota:   5
- {code: studio, quota: 20}
`;
const documents = (texts: { [file: string]: string }) =>
  new Map(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text)]));

/** The text after a part was left out and put back. */
function back(file: string, text: string, part: string, ids: { services?: string[]; plans?: string[] }): string {
  expect(text).toContain(part);
  const [before, after] = [documents({ [file]: text }), documents({ [file]: text.replace(part, '') })];
  return (
    putBack(before, after, { services: [], plans: [], ...ids })
      .get(file)
      ?.toString() ?? ''
  );
}

const design = families.slice(families.indexOf('\n  - id: design'), families.indexOf('  # More'));
const logo = design.slice(design.indexOf('      # The best'), design.indexOf('      - {id: page'));

test.each([
  ['an option', logo, 'design/logo', `${logo}        retired: true\n`, '      - {id: page, name: Page}\n'],
  ['a family', design, 'design', `${design}    retired: true\n`, '    ] }\n'],
  [
    'an option in brackets',
    ", # folded\n      { id: 'card' }",
    'print/card',
    ", { id: 'card', retired: true }",
    '{id: flyer}',
  ],
])('%s comes back as it was written, and every other line stays as it is', (_, part, id, added, last) => {
  const without = families.replace(part, '');
  expect(back('families.yaml', families, part, { services: [id] })).toBe(without.replace(last, `${last}${added}`));
});

test('a plan comes back as it was written, and every other line stays as it is', () => {
  const solo = "- code: 'solo'\n  quota:   5\n";
  expect(back('plans.yaml', plans, solo, { plans: ['solo'] })).toBe(
    plans.replace(solo, '') + solo.replace('5\n', '5\n  retired: true\n'),
  );
  expect(back('plans.yaml', plans, '- {code: studio, quota: 20}\n', { plans: ['studio'] })).toBe(
    plans.replace('20}', '20, retired: true}'),
  );
});

test('what is written in another way now, or shares an anchor, comes back by its meaning', () => {
  const before = documents({
    'plans.yaml': 'base: &price { amount: 5 }\nplans:\n  - code: solo # ours\n    price: *price\n',
  });
  const after = documents({ 'plans.yaml': '# Other\nplans: [{ code: agent }] # one\n' });
  const text = putBack(before, after, { services: [], plans: ['solo'] })
    .get('plans.yaml')
    ?.toString();
  expect(text).toBe('# Other\nplans: [{ code: agent }, {code: solo, price: {amount: 5}, retired: true}] # one\n');
});

test('a list that is empty or missing is written, and a text without fields stays', () => {
  const before = documents({ 'plans.yaml': plans });
  const into = (text: string) =>
    putBack(before, documents({ 'plans.yaml': text }), { services: [], plans: ['studio'] })
      .get('plans.yaml')
      ?.toString() ?? '';
  const entry = { code: 'studio', quota: 20, retired: true };
  expect(parse(into('# None\nplans: []\nother: "x"\n'))).toEqual({ plans: [entry], other: 'x' });
  expect(into('# None\nplans: []\nother: "x"\n')).toMatch(/^# None\nplans:\n[^]*\nother: "x"\n$/);
  expect(into('other: "x"\n')).toMatch(/^other: "x"\nplans:\n/);
  expect(into('# None\n')).toBe('# None\n');
});
