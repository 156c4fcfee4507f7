import { readFileSync } from 'node:fs';

const { version: ofPackage } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this code. */
export const version = ofPackage;
