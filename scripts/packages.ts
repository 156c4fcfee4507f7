import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What stays a package: native parts, a library that reads files beside itself, and what `require` reads. */
export const external = [
  '@napi-rs/canvas',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'libheif-js',
  'pdfjs-dist',
  'sharp',
];

type Locked = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** These packages with all that they depend on, by the lock. */
export function packagesBesideBundle(): Set<string> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const needed = new Set<string>();
  const need = (name: string) => {
    const locked = lock.packages[`node_modules/${name}`];
    if (needed.has(name) || !locked) return;
    needed.add(name);
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }).forEach(need);
  };
  external.forEach(need);
  return needed;
}

const license = /licen[cs]e|notice/i;
const forPeopleAndCompilers = /\.(?:map|d\.[cm]?ts|md)$/;
const forBrowsers = /^pdfjs-dist\/(?:build|image_decoders|types|web|legacy\/(?:image_decoders|web))$/;

/** Removes what only people and compilers read, and the builds of the PDF library for browsers. */
export function removeUnread(modules: string): void {
  for (const name of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
    if (forBrowsers.test(name) || (forPeopleAndCompilers.test(name) && !license.test(basename(name))))
      rmSync(join(modules, name), { recursive: true, force: true });
}
