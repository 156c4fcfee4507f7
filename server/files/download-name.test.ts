import { describe, expect, test } from 'vitest';
import { livingNames } from '../../test/support/names.ts';
import { disposition, downloadName } from './download-name.ts';

const others = new Map([
  ['image/tiff', { extensions: ['tiff', 'tif'], aliases: [], beginnings: [] }],
  ['text/html', { extensions: ['html'], aliases: [], beginnings: [] }],
]);

const typeOfName = (name: string) =>
  name.endsWith('.png') ? 'image/png' : name.endsWith('.csv') ? 'text/csv' : 'text/plain';

describe('the name under which a file is saved', () => {
  test.each([
    ['logo.png', 'image/png', 'logo.png'],
    ['Photo.JPEG', 'image/jpeg', 'Photo.JPEG'],
    ['SHOUT.TXT', 'text/plain', 'SHOUT.TXT'],
    ['clip.MOV', 'video/quicktime', 'clip.MOV'],
    ['Setup.EXE', 'text/plain', 'Setup.EXE.txt'],
    ['notes.md', 'text/plain', 'notes.md'],
    ['README', 'text/plain', 'README.txt'],
    ['../../etc/passwd', 'text/plain', '_.._etc_passwd.txt'],
    ['..\\..\\boot.ini', 'text/plain', '_.._boot.ini.txt'],
    ['%2e%2e%2fa.txt', 'text/plain', '%2e%2e%2fa.txt'],
    ['C:\\a.txt', 'text/plain', 'C__a.txt'],
    ['setup.exe', 'application/zip', 'setup.exe.zip'],
    ['page.html', 'text/plain', 'page.html.txt'],
    ['picture.svg', 'image/png', 'picture.svg.png'],
    ['Scan.TIF', 'image/tiff', 'Scan.TIF'],
    ['scan.png', 'image/tiff', 'scan.png.tiff'],
    ['page.html', 'text/html', 'page.html'],
    ['setup.exe', 'text/html', 'setup.exe.html'],
    ['model.obj', 'model/obj', 'model.obj.bin'],
    ['CON', 'text/csv', 'CON.csv'],
    ['.htaccess', 'text/plain', 'htaccess.txt'],
    ['...', 'application/pdf', 'file.pdf'],
    [' ', 'application/pdf', 'file.pdf'],
    ['.pdf', 'application/pdf', 'pdf.pdf'],
    ['invoice\u202efdp.exe', 'application/pdf', 'invoicefdp.exe.pdf'],
    ['\u2066lines\u2028.txt', 'text/plain', 'lines.txt'],
    ['half\ud800.txt', 'text/plain', 'half.txt'],
    ['a"b;c\r\nd.txt', 'text/plain', 'a_b;cd.txt'],
    ...livingNames.map((name) => [name, typeOfName(name), name]),
  ])('%j of %s is %j', (given, type, saved) => {
    expect(downloadName(given, type, others)).toBe(saved);
  });

  test('is cut between characters, and keeps its extension', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(downloadName(`${family.repeat(36)}.png`, 'image/png', others)).toBe(`${family.repeat(8)}.png`);
    expect(downloadName(`${'👩'.repeat(255)}.png`, 'image/png', others)).toBe(`${'👩'.repeat(50)}.png`);
    expect(downloadName(`a${'e\u0301'.repeat(127)}`, 'image/png', others)).toBe(`a${'e\u0301'.repeat(66)}.png`);
  });

  test('of a single endless character is cut within it', () => {
    const saved = downloadName(`e${'\u0301'.repeat(254)}`, 'image/png', others);
    expect(saved).toBe(`e${'\u0301'.repeat(99)}.png`);
  });
});

test('the header has an ASCII fallback and the full name, and nothing that ends either', () => {
  expect(disposition('logo.png', 'image/png', others)).toBe('attachment; filename=logo.png');
  expect(disposition('Entwürfe "neu"; 100%.pdf', 'application/pdf', others)).toBe(
    `attachment; filename="Entwurfe _neu_; 100%.pdf"; filename*=UTF-8''Entw%C3%BCrfe%20_neu_%3B%20100%25.pdf`,
  );
  expect(disposition('日本.zip', 'application/zip', others)).toBe(
    `attachment; filename=file.zip; filename*=UTF-8''%E6%97%A5%E6%9C%AC.zip`,
  );
  expect(disposition('it’s (1)!*.txt', 'text/plain', others)).toContain(
    "filename*=UTF-8''it%E2%80%99s%20%281%29!_.txt",
  );
});
