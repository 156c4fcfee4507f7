import { expect, test } from 'vitest';
import type { ServiceFamily } from '../../app/api.ts';
import { findServices, serviceFor, spreadOver } from './find-services.ts';

const option = (id: string, name: string, description: string) =>
  ({ id, name, description }) as ServiceFamily['service_options'][number];
const families = [
  {
    id: 'design',
    name: 'Design',
    service_options: [option('logo', 'Logo', 'Three directions.'), option('cutout', 'Image cut-outs', 'Photos.')],
  },
  { id: 'writing', name: 'Writing', service_options: [option('copy', 'Website copy', 'Words for pages.')] },
] as ServiceFamily[];

const found = (words: string) =>
  findServices(families, words).flatMap(({ service_options }) => service_options.map(({ id }) => id));

test.each([
  ['', ['logo', 'cutout', 'copy']],
  ['  LOGO ', ['logo']],
  ['cut outs', ['cutout']],
  ['photos design', ['cutout']],
  ['writing', ['copy']],
  ['copy photos', ['cutout', 'copy']],
  ['logo and business card', ['logo']],
  ['the and of', []],
])('%j finds %j', (words, ids) => expect(found(words)).toEqual(ids));

const sold = [
  {
    id: 'design',
    name: 'Design',
    service_options: [
      option('logo', 'Logo', 'A logo in three directions, refined into one.'),
      option('social', 'Social media set', 'Ten matching graphics for posts and stories, in the sizes of Instagram.'),
    ],
  },
  {
    id: 'writing',
    name: 'Writing',
    service_options: [
      option('article', 'Blog article', 'An article of up to 1,500 words with headline and summary.'),
      option('copy', 'Website copy', 'The words of up to five pages of a website or a brochure.'),
    ],
  },
  {
    id: 'data',
    name: 'Data',
    service_options: [option('label', 'Dataset labelling', 'Items labelled by two people.')],
  },
] as ServiceFamily[];

const named = (words: string) => {
  const { found: first, other } = serviceFor(sold, words);
  return [first?.option.id, other?.option.id].filter(Boolean);
};
const paragraph =
  'Our Christmas hampers go on sale on Saturday. We need posts and stories for Instagram to say so: what is in them, and that they can be collected until the 23rd.';

test.each([
  ['brochure', ['copy']],
  ['logo and business card', ['logo']],
  [paragraph, ['social']],
  ['posts for Instagram, and a logo', ['logo', 'social']],
  ['posts for Instagram, but no logo', ['social']],
  ['images with labels', ['label']],
  ['a brass band for the opening', []],
  ['We open a second shop in March, and two people will stand behind the counter there.', []],
])('“%s” is about %j', (words, ids) => expect(named(words)).toEqual(ids));

test('three services are offered: those that have something of the words first', () => {
  expect(serviceFor(sold, 'a brass band').offers.map(({ option: { id } }) => id)).toEqual(['logo', 'article', 'label']);
  expect(serviceFor(sold, 'an article').offers[0]?.option.id).toBe('article');
  expect(spreadOver(sold, 4).map(({ option: { id } }) => id)).toEqual(['logo', 'article', 'label', 'social']);
});
