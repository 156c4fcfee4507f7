import { expect } from 'vitest';
import { documentsIn, newestVersionOf } from './catalog.ts';
import type { Got, Service } from './harness.ts';
import { post, type Studio } from './jobs.ts';

export const versions = '/api/operator/v1/catalog-versions';

type Edit = [file: string, from: string, to: string];

/** The shipped documents with these texts replaced. */
export const edited = (...edits: Edit[]) =>
  documentsIn().map((document) => ({ ...document, ...textOf(document, edits) }));

function textOf({ file, text }: { file: string; text?: string }, edits: Edit[]): { text?: string } {
  if (text === undefined) return {};
  return {
    text: edits.filter(([name]) => name === file).reduce((before, [, from, to]) => replaced(before, from, to), text),
  };
}

function replaced(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

/** The shipped documents, in which the first family has this name. */
export const named = (name: string) => edited(['families.yaml', '    name: Design\n', `    name: ${name}\n`]);

export const mistaken = () => edited(['plans.yaml', 'quota: 5\n', 'quota: many\n']);
const lines =
  mistaken()
    .find(({ file }) => file === 'plans.yaml')
    ?.text?.split('\n') ?? [];
export const mistake = { file: 'plans.yaml', line: lines.indexOf('    quota: many') + 1, column: 5 };

export const firstName = async (service: Service): Promise<string> =>
  (await service.call('GET', '/api/v1/catalog')).body.service_families[0].name;

export const publish = async ({ service, operator }: Studio, documents: object[], more: object = {}): Promise<Got> =>
  post(service, operator.token, versions, {
    documents,
    expected_version: await newestVersionOf(service),
    ...more,
  });

export const republish = async ({ service, operator }: Studio, number: number, more: object = {}): Promise<Got> =>
  post(service, operator.token, `${versions}/${number}/publish`, {
    expected_version: await newestVersionOf(service),
    ...more,
  });
