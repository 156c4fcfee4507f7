import { expect, test } from 'vitest';
import { partShown, sayProgram, whyNotShown } from './file-words.ts';

const file = (file_name: string, content_type: string, changes: object = {}) => ({
  file_name,
  content_type,
  size_bytes: 9,
  status: 'uploaded',
  ...changes,
});

test.each([
  ['Poster.PSD', 'image/vnd.adobe.photoshop', 'Open it in Adobe Photoshop, Affinity Photo or GIMP.'],
  ['logo.eps', 'application/postscript', 'Open it in Adobe Illustrator, Affinity Designer or Inkscape.'],
  ['app.sketch', 'application/zip', 'Open it in Sketch or Figma.'],
  ['all.zip', 'application/zip', 'Unpack it to see what is in it.'],
  ['Serif.woff2', 'font/woff2', 'Install the font, or open it in the font viewer of your computer.'],
  ['what.unknown', 'application/x-unknown', ''],
])('%s: %s %s', (name, type, words) => {
  expect(sayProgram(file(name, type))).toBe(words);
});

test('a type of every installation is enough, where the name has no ending', () => {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  expect(sayProgram(file('Brief', type))).toContain('Microsoft Word');
});

test('a file that is not shown says why', () => {
  const psd = file('poster.psd', 'image/vnd.adobe.photoshop');
  expect(whyNotShown({ ...psd, poster_status: 'none' })).toMatch(
    /^This kind of file cannot be shown here\. Open it in/,
  );
  expect(whyNotShown({ ...psd, poster_status: 'failed' })).toMatch(
    /^The service cannot draw this picture\. Open it in/,
  );
  expect(whyNotShown({ ...psd, poster_status: 'pending' })).toBe('The service is drawing this picture.');
  const film = file('reel.mkv', 'video/x-matroska');
  expect(whyNotShown({ ...film, viewing_copy: 'failed' })).toMatch(/^No copy .* of this film\. Open it in VLC\.$/);
  expect(whyNotShown({ ...psd, status: 'deleted' })).toBe('This file is no longer kept.');
});

test('what a drawing shows of a file with several frames or pages is said', () => {
  expect(partShown(file('a.avif', 'image/avif'))).toBe('first frame');
  expect(partShown(file('a.svg', 'image/svg+xml'))).toBe('');
});
