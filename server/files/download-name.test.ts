import { describe, expect, test } from 'vitest';
import { disposition, downloadName } from './download-name.ts';

const others = new Map([
  ['image/tiff', { extensions: ['tiff', 'tif'], beginnings: [] }],
  ['text/html', { extensions: ['html'], beginnings: [] }],
]);

describe('the name under which a file is saved', () => {
  test.each([
    ['logo.png', 'image/png', 'logo.png'],
    ['Photo.JPEG', 'image/jpeg', 'Photo.jpeg'],
    ['notes.md', 'text/plain', 'notes.md'],
    ['README', 'text/plain', 'README.txt'],
    ['../../etc/passwd', 'text/plain', '_.._etc_passwd.txt'],
    ['..\\..\\boot.ini', 'text/plain', '_.._boot.ini.txt'],
    ['%2e%2e%2fa.txt', 'text/plain', '%2e%2e%2fa.txt'],
    ['C:\\a.txt', 'text/plain', 'C__a.txt'],
    ['setup.exe', 'application/zip', 'setup.exe.zip'],
    ['page.html', 'text/plain', 'page.html.txt'],
    ['picture.svg', 'image/png', 'picture.svg.png'],
    ['Scan.TIF', 'image/tiff', 'Scan.tif'],
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
    ['zero\u200bwidth\u2028.txt', 'text/plain', 'zerowidth.txt'],
    ['a"b;c\r\nd.txt', 'text/plain', 'a_b;cd.txt'],
    ['réseau 👩‍👩‍👧.csv', 'text/csv', 'réseau 👩👩👧.csv'],
  ])('%j of %s is %j', (given, type, saved) => {
    expect(downloadName(given, type, others)).toBe(saved);
  });

  test('is cut between characters, and keeps its extension', () => {
    const saved = downloadName(`${'👩'.repeat(255)}.png`, 'image/png', others);
    expect(saved).toBe(`${'👩'.repeat(50)}.png`);
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
