import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

const { version: ofPackage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

/** The version of this code. */
export const version = ofPackage;
