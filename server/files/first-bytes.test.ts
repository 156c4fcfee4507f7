import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileTypes } from '../../contract/files/file-types.ts';
import { complete, presign, put } from '../../test/support/files.ts';
import { post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { twoColours } from '../../test/support/pictures.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { nameByBytes, typeByBytes } from './first-bytes.ts';

const catalog = loadCatalog('catalog');
const raw = (text: string) => Buffer.from(text, 'latin1');
const program = raw('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0');
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A zip of one stored file. */
function zipOf(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), content]);
}

describe('what may begin so', () => {
  const type = (bytes: Buffer, declared: string) => typeByBytes(bytes, declared, catalog);

  test('pictures as sharp writes them, each by its own name and by the names of the others', async () => {
    const small = twoColours(40, 30);
    const pictures = {
      'image/png': await small.clone().png().toBuffer(),
      'image/jpeg': await small.clone().jpeg().toBuffer(),
      'image/webp': await small.clone().webp().toBuffer(),
      'image/gif': await small.clone().gif().toBuffer(),
    };
    for (const [real, bytes] of Object.entries(pictures))
      for (const declared of Object.keys(pictures)) expect(type(bytes, declared)).toBe(real);
    expect(type(await sharp(pictures['image/png']).avif().toBuffer(), 'image/png')).toBeNull();
    expect(type(await small.clone().tiff().toBuffer(), 'image/jpeg')).toBeNull();
    for (const declared of ['application/zip', 'audio/mpeg']) expect(type(pictures['image/png'], declared)).toBeNull();
  });

  test.each([
    ['application/pdf', raw('%PDF-1.7')],
    ['application/pdf', raw(`${'\n'.repeat(1_023)}%PDF-1.4`)],
    ['application/zip', zipOf('a.txt', deflateRawSync('a'))],
    ['application/zip', zipOf('a.pdf', raw('%PDF-1.7'))],
    ['application/zip', raw('PK\x05\x06')],
    ['application/zip', raw('PK\x07\x08PK\x03\x04')],
    ['application/zip', raw('PK00PK\x03\x04')],
    [word, zipOf('[Content_Types].xml', raw('<Types/>'))],
    [word, raw('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['audio/wav', raw('RIFF\x24\0\0\0WAVEfmt ')],
    ['audio/wav', raw('RF64\xff\xff\xff\xffWAVEds64')],
    ['audio/wav', raw('BW64\xff\xff\xff\xffWAVEds64')],
    ['audio/mpeg', raw('ID3\x04\0\0')],
    ['audio/mpeg', Buffer.alloc(40)],
    ...['\xfb', '\xfa', '\xf3', '\xf2', '\xe3'].map((byte) => ['audio/mpeg', raw(`\xff${byte}\x90\x64`)] as const),
    ...['ftypqt  ', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].flatMap((box) =>
      ['video/mp4', 'video/quicktime'].map((film) => [film, raw(`\0\0\0\x14${box}`)] as const),
    ),
    ['video/webm', raw('\x1a\x45\xdf\xa3\x9f')],
    ['text/plain', program],
    ['text/csv', raw('Name;Wert')],
    ['application/json', raw('[')],
    ['text/markdown', raw('\xef\xbb\xbf# A')],
    ['font/otf', raw('OTTO')],
    ['model/obj', raw('# any')],
  ] as const)('%s: %j', (declared, bytes) => {
    expect(type(bytes, declared)).toBe(declared);
  });

  test('a program is none of the types with a signature, and no type is a zero', () => {
    const texts = ['text/plain', 'text/markdown', 'text/csv', 'application/json'];
    for (const declared of Object.keys(fileTypes).filter((each) => !texts.includes(each))) {
      expect(type(program, declared), declared).toBeNull();
      expect(type(Buffer.alloc(0), declared), declared).toBeNull();
      expect(type(raw('RIFF\x24\0\0\0AVI LIST'), declared), declared).toBeNull();
    }
    expect(type(raw(`${'\n'.repeat(1_024)}PDF`), 'application/pdf')).toBeNull();
    expect(type(program, 'image/vnd.adobe.photoshop')).toBeNull();
  });
});

test.each([
  [program, 'a Windows program'],
  [raw('\x7fELF\x02'), 'a Linux program'],
  [raw('\xcf\xfa\xed\xfe'), 'a macOS program'],
  [raw('#!/bin/sh'), 'a script'],
  [raw('<!DOCTYPE html>'), 'a web page'],
  [raw('%PDF-1.7'), 'a PDF'],
  [raw('\0\0\0\x18ftypheic'), 'a .heic file'],
  [raw('8BPS\0\x01'), 'a .psd file'],
  [raw('\0\0\0\x18ftypisom'), 'an MP4 or QuickTime film'],
  [raw('PK\x03\x04'), 'a .zip, or a document that is one'],
  [Buffer.alloc(40), null],
  [raw('hello'), null],
] as const)('%j begins like %j', (bytes, name) => {
  expect(nameByBytes(bytes, catalog)).toBe(name);
});

describe('at completion', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await sharedStudio();
  });
  const send = async (bytes: Buffer, changes: object) => {
    const { body } = await presign(studio.service, studio.key, bytes, changes);
    await put(studio.service, body.upload, bytes);
    return complete(studio.service, studio.key, body.file.id);
  };

  test('409 upload_incomplete: a program named photo.png; the message names it, and a detail says that it lasts', async () => {
    const { status, body } = await send(program, { file_name: 'photo.png', content_type: 'image/png' });
    expect([status, body.error.code]).toEqual([409, 'upload_incomplete']);
    expect(body.error.message).toBe('The file begins like a Windows program, not like image/png.');
    expect(body.error.details).toEqual([{ location: 'file', message: 'has other content than its type says' }]);
    const odd = await send(raw('hello'), { content_type: 'image/png' });
    expect(odd.body.error.message).toBe('The file does not begin as a file of type image/png does.');
    const empty = await send(Buffer.from('x'), { content_type: 'application/pdf' });
    expect(empty.body.error.details).toHaveLength(1);
  });

  test('200: a JPEG named .png is an image/jpeg that keeps its name', async () => {
    const jpeg = await twoColours(40, 30).jpeg().toBuffer();
    const { body } = await send(jpeg, { file_name: 'Photo.PNG', content_type: 'image/png' });
    expect(body.file).toMatchObject({ file_name: 'Photo.PNG', content_type: 'image/jpeg', status: 'uploaded' });
    const path = `/api/v1/files/${body.file.id}/download`;
    const got = await post(studio.service, studio.key, path, { inline: true });
    expect(got.body.inline.image.content_type).toBe('image/jpeg');
    expect((await send(jpeg, { content_type: 'application/pdf' })).status).toBe(409);
  });

  test('200: a PDF with 1,000 bytes before its mark', async () => {
    const { status } = await send(raw(`${'\n'.repeat(1_000)}%PDF-1.4`), { content_type: 'application/pdf' });
    expect(status).toBe(200);
  });
});
