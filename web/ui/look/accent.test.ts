import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accentFault, accentTokens, contrast, leastContrast, surfaces } from '../../../contract/studio/accent.ts';

const sheet = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const tokenOf = (name: string) => new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(sheet);

test('the surfaces are those of the style sheet', () => {
  const names = ['page', 'panel', 'sunken', 'hover'];
  expect(surfaces).toEqual({
    light: names.map((name) => tokenOf(name)?.[1]),
    dark: names.map((name) => tokenOf(name)?.[2]),
  });
});

/** 4,096 colors, each 17 steps of red, green or blue from the next. */
const steps = Array.from({ length: 16 }, (_, step) => (step * 17).toString(16).padStart(2, '0'));
const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));

test('of every color the nearest that passes does pass, and keeps one that passes already', () => {
  for (const color of colors) {
    const fault = accentFault(color);
    if (fault) expect(accentFault(fault.nearest), color).toBeNull();
  }
  expect(['#0b6b5d', '#000000', '#6b2a6b', '#0000ff'].map(accentFault)).toEqual([null, null, null, null]);
  expect(accentFault('#FF7A00')).toEqual({
    message:
      'has too little contrast: 2.61 to 1 under white, 2.50 to 1 on the page, and text needs 4.5 to 1. The nearest color that passes is #ba5700',
    nearest: '#ba5700',
  });
});

test('of every accent that passes each token can be read on each surface of both schemes', () => {
  const unread: string[] = [];
  for (const color of colors.filter((one) => accentFault(one) === null))
    for (const [scheme, tokens] of Object.entries(accentTokens(color))) {
      const [page, panel, sunken, hover] = surfaces[scheme as 'light' | 'dark'];
      const pairs = [
        ...[page, panel].map((surface) => [tokens.accent, surface]),
        ...[page, panel, sunken, hover, tokens['accent-soft']].map((surface) => [tokens['accent-text'], surface]),
        ...[tokens.accent, tokens['accent-hover']].map((surface) => [tokens['on-accent'], surface]),
      ] as [string, string][];
      unread.push(
        ...pairs
          .filter(([ink, surface]) => contrast(ink, surface) < leastContrast)
          .map(([ink, surface]) => `${color} ${scheme}: ${ink} on ${surface}`),
      );
    }
  expect(unread).toEqual([]);
});
