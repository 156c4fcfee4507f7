import { expect } from 'vitest';
import { newFile } from './files.ts';
import type { As, Got, Service } from './harness.ts';

export const facts = [
  { label: 'Brand name', text: 'Rise Bakery' },
  { label: 'Colours', text: 'Dark green #1f4d3a\nand cream' },
];

export const putBrand = (service: Service, as: As, body: object = {}): Promise<Got> =>
  service.call('PUT', '/api/v1/brand', { as, body: { facts, file_ids: [], ...body } });

export const getBrand = (service: Service, as: As): Promise<Got> => service.call('GET', '/api/v1/brand', { as });

/** An uploaded file that the kit can have. */
export const newReference = (service: Service, as: As, bytes: Uint8Array, changes: object = {}) =>
  newFile(service, as, bytes, { purpose: 'job_reference', ...changes });

/** The kit with these facts and one new file. */
export async function newBrand(service: Service, as: As, bytes: Uint8Array, changes: object = {}) {
  const file = await newReference(service, as, bytes, changes);
  expect((await putBrand(service, as, { file_ids: [file.id] })).status).toBe(200);
  return file;
}
