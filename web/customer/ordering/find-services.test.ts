import { expect, test } from 'vitest';
import type { ServiceFamily } from '../../app/api.ts';
import { findServices } from './find-services.ts';

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
  ['copy photos', []],
])('%j finds %j', (words, ids) => expect(found(words)).toEqual(ids));
