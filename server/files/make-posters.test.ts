import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  openTestStorage,
  reachable,
  type TestStorage,
} from '../../test/support/files.ts';
import {
  createStudio,
  makeMoves,
  newCustomer,
  newJobIn,
  pathOf,
  post,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';
import { blackPng, colourAt, eps, halves, pageThatDraws, pdf, psd, twoColours } from '../../test/support/pictures.ts';
import { scheduledTasks, startScheduledTasks } from '../scheduled-tasks.ts';
import { makePosters } from './make-posters.ts';

let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
});
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
});

const draw = (stopped = new AbortController().signal) => makePosters(studio.service.context, stopped);
const read = async (id: string) =>
  (await studio.service.call('GET', `/api/v1/files/${id}`, { as: studio.key })).body.file;
const posters = async () => (await storage.keys()).filter((key) => key.startsWith('posters/'));

async function posterOf(content_type: string, bytes: Buffer) {
  return drawn((await newFile(studio.service, studio.key, bytes, { content_type })).id);
}

/** Of a file that 0.2.0 stored, which did not look at first bytes. */
async function posterOfOld(content_type: string, bytes: Buffer) {
  const { id } = await newFile(studio.service, studio.key, bytes, { content_type: 'image/svg+xml' });
  await sql`update files set content_type = ${content_type} where id = ${uuidOf('file', id)}`.execute(
    studio.service.context.db,
  );
  return drawn(id);
}

async function drawn(id: string) {
  await draw();
  const file = await read(id);
  const picture = file.poster && (await bytesOf(await fetch(reachable(studio.service, file.poster))));
  const size = [file.width, file.height] as [number | null, number | null];
  return { id, status: file.poster_status as string, picture: picture as Buffer | null, size };
}

test('pending until it is drawn; then a signed URL of a picture of at most 1,024 px', async () => {
  const bytes = await twoColours(4_000, 3_000).png().toBuffer();
  const file = await newFile(studio.service, studio.key, bytes);
  expect([file.poster, file.poster_status]).toEqual([null, 'pending']);
  await draw();
  expect([file.width, file.height]).toEqual([null, null]);
  const { poster, poster_status, width, height } = await read(file.id);
  expect([poster_status, width, height]).toEqual(['made', 4_000, 3_000]);
  const answer = await fetch(reachable(studio.service, poster));
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=3600',
  });
  expect(await sharp(await bytesOf(answer)).metadata()).toMatchObject({ format: 'webp', width: 1_024, height: 768 });
  expect((await read(file.id)).poster).toBe(poster); // the same URL for an hour
});

test('403 signed_url_invalid: another signature, time or file; 404 once the file is deleted', async () => {
  const { id } = await posterOf('image/png', blackPng(10, 10));
  const { poster } = await read(id);
  const url = reachable(studio.service, poster);
  const other = (await read((await posterOf('image/png', blackPng(10, 10))).id)).poster;
  const wrong = [
    url.replace(/signature=./, 'signature=_'),
    url.replace(/expires=\d/, 'expires=9'),
    url.replace(/posters\/[^?]+/, new URL(other).pathname.slice('/storage/'.length)),
    url.replace(/\?.*/, ''),
  ];
  for (const address of wrong) expect((await fetch(address)).status).toBe(403);
  const before = await posters();
  await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
  expect((await posters()).length).toBe(before.length - 1);
  expect((await fetch(url)).status).toBe(404);
  expect(await read(id)).toMatchObject({ status: 'deleted', poster: null, poster_status: 'none' });
});

// Before the others: it draws all files again.
test('the statements of the manual have what failed, and what 0.2.0 drew, drawn again', async () => {
  const manual = readFileSync(new URL('../../docs/operations/run.md', import.meta.url), 'utf8');
  const [again, anew] = [...manual.matchAll(/```sql\n(update files set poster_status[^`]+)```/g)].map(
    ([, text]) => text,
  );
  const { db } = studio.service.context;
  const { id } = await posterOf('image/png', blackPng(30, 20));
  const asDrawnBy020 = { pixel_width: null, pixel_height: null };
  for (const [row, statement] of [
    [asDrawnBy020, anew],
    [{ poster_status: 'failed' as const, poster_key: null, ...asDrawnBy020 }, again],
  ] as const) {
    await db.updateTable('files').where('id', '=', uuidOf('file', id)).set(row).execute();
    await sql.raw(statement ?? '').execute(db);
    expect(await read(id)).toMatchObject({ poster_status: 'pending', poster: null });
    // The few other files have their turns before.
    await vi.waitFor(
      async () => (await draw(), expect(await read(id)).toMatchObject({ poster_status: 'made', width: 30 })),
      60_000,
    );
  }
});

describe('draws', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)('image/%s', async (format) => {
    const bytes = await twoColours(320, 240).toFormat(format).toBuffer();
    const { picture, size } = await posterOf(`image/${format}`, bytes);
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([320, 240]);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 320, height: 240 });
    expect([await colourAt(picture, 0.5, 0.2), await colourAt(picture, 0.5, 0.8)]).toEqual(['red', 'blue']);
  });

  test('a turned photograph upright, without its metadata', async () => {
    const exif = { IFD0: { Copyright: 'secret place' } };
    const photo = await twoColours(400, 300).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer();
    expect(photo.includes('secret place')).toBe(true);
    const { picture, size } = await posterOf('image/jpeg', photo);
    expect(size).toEqual([300, 400]);
    if (!picture) throw new Error('There is no poster.');
    expect(picture.includes('secret place')).toBe(false);
    const { width, height, exif: kept, icc, xmp, orientation } = await sharp(picture).metadata();
    expect({ width, height, kept, icc, xmp, orientation }).toEqual({ width: 300, height: 400 });
    expect([await colourAt(picture, 0.8, 0.5), await colourAt(picture, 0.2, 0.5)]).toEqual(['red', 'blue']);
  });

  test.each(['gif', 'webp'] as const)('the first frame of a moving %s', async (format) => {
    const frame = (background: string) => ({ create: { width: 50, height: 50, channels: 3 as const, background } });
    const frames = await Promise.all(['red', 'blue', 'blue'].map((colour) => sharp(frame(colour)).png().toBuffer()));
    const { picture } = await posterOf(
      `image/${format}`,
      await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer(),
    );
    if (!picture) throw new Error('There is no poster.');
    const { width, height, pages = 1 } = await sharp(picture).metadata();
    expect([width, height, pages, await colourAt(picture, 0.5, 0.5)]).toEqual([50, 50, 1, 'red']);
  });

  test('an SVG at the size of a poster; nothing that it refers to is fetched, and no script runs', async () => {
    let requests = 0;
    const server = createServer((_, answer) => {
      requests += 1;
      answer.end();
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    const svg = `<?xml version="1.0"?><?xml-stylesheet href="http://127.0.0.1:${port}/a.css"?>
      <!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.0.1:${port}/e">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">
      <script href="http://127.0.0.1:${port}/s.js"/><script>fetch('http://127.0.0.1:${port}')</script>
      <style>@import url("http://127.0.0.1:${port}/b.css");</style>
      <rect width="20" height="10" fill="red"/><text y="5">&file;&net;</text>
      <image xlink:href="http://127.0.0.1:${port}/i.png" width="20" height="10"/>
      <image href="file:///etc/hostname" width="9" height="9"/><use href="http://127.0.0.1:${port}/u.svg#a"/></svg>`;
    const { picture, status } = await posterOf('image/svg+xml', Buffer.from(svg));
    server.close();
    expect(requests).toBe(0);
    if (picture) expect(await sharp(picture).metadata()).toMatchObject({ width: 2_048, height: 1_024 });
    else expect(status).toBe('failed');
  });

  test.each([
    ['20', '10'],
    ['20mm', '10mm'],
    ['300cm', '150cm'],
  ])('an SVG of %s by %s', async (width, height) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 20 10"><rect width="20" height="10" fill="red"/></svg>`;
    const { picture, size } = await posterOf('image/svg+xml', Buffer.from(svg));
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([null, null]);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 2_048, height: 1_024 });
    expect(await colourAt(picture, 0.5, 0.5)).toBe('red');
  });

  test.each([
    ['application/pdf', 1_024],
    ['application/illustrator', 2_048],
  ])('the first page of %s', async (type, side) => {
    const page = pageThatDraws('1 0 0 rg 0 0 600 400 re f 0 0 1 rg BT /F1 200 Tf 50 500 Td (HHHHH) Tj ET');
    const { picture, size } = await posterOf(type, page);
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([null, null]);
    expect(await sharp(picture).metadata()).toMatchObject({ width: side * 0.75, height: side });
    expect([await colourAt(picture, 0.5, 0.9), await colourAt(picture, 0.99, 0.05)]).toEqual(['red', 'white']);
    const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const isBlue = (_: number, at: number) => at % 3 === 0 && (data[at] ?? 0) < 80 && (data[at + 2] ?? 0) > 200;
    expect(data.filter(isBlue).length).toBeGreaterThan(10_000); // the letters
  });

  test('a PDF that begins with other bytes', async () => {
    const page = Buffer.concat([Buffer.from('some bytes\n'), pageThatDraws('1 0 0 rg 0 0 600 800 re f')]);
    const { picture } = await posterOf('application/pdf', page);
    expect(await colourAt(picture ?? Buffer.alloc(0), 0.5, 0.5)).toBe('red');
  });

  test('no poster for other types: none', async () => {
    const { status, picture } = await posterOf('text/plain', Buffer.from('hello'));
    expect([status, picture]).toEqual(['none', null]);
  });
});

const psdType = 'image/vnd.adobe.photoshop';
const twoColouredPsd = (more: Parameters<typeof psd>[2] = {}) =>
  psd(400, 300, {
    channels: [halves(400, 300, 255, 0), Buffer.alloc(400 * 300), halves(400, 300, 0, 255)],
    ...more,
  });
/** What Photoshop knows of the merged picture: that there is none. */
const withoutPicture = Buffer.from('3842494d0421000000000005000000010000', 'hex');

/** 320 × 240 in Display P3, red above blue, and turned by a quarter to the left. */
const turnedHeic = readFileSync('test/support/turned.heic');
function sizedHeic(width: number, height: number): Buffer {
  const heic = Buffer.from(turnedHeic);
  const at = heic.indexOf('ispe') + 8;
  heic.writeUInt32BE(height, heic.writeUInt32BE(width, at));
  return heic;
}

describe('draws at 2,048 px what browsers do not show', () => {
  test.each<[string, Parameters<typeof psd>[2]]>([
    ['a PSD', {}],
    ['a PSB', { isLarge: true }],
    [
      'a PSD in CMYK',
      {
        mode: 4,
        channels: [
          [255, 0],
          [0, 255],
          [0, 255],
          [255, 255],
        ].map(([a = 0, b = 0]) => halves(400, 300, a, b)),
      },
    ],
    [
      'a PSD with a saved selection',
      { channels: [halves(400, 300, 255, 0), Buffer.alloc(120_000), halves(400, 300, 0, 255), Buffer.alloc(120_000)] },
    ],
  ])('%s', async (_, more) => {
    const { picture, size } = await posterOf(psdType, twoColouredPsd(more));
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([400, 300]);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 400, height: 300 });
    expect([await colourAt(picture, 0.5, 0.2), await colourAt(picture, 0.5, 0.8)]).toEqual(['red', 'blue']);
  });

  test('a PSD with transparency, without the white that lies below', async () => {
    const channels = [
      halves(400, 300, 255, 255),
      halves(400, 300, 255, 127),
      halves(400, 300, 255, 127),
      halves(400, 300, 0, 128),
    ];
    const { picture } = await posterOf(psdType, psd(400, 300, { channels, layers: -1 }));
    const { data } = await sharp(picture ?? '')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
    expect([...data.subarray(-4)].map((value) => Math.round(value / 16))).toEqual([16, 0, 0, 8]);
  });

  test('a HEIC, upright and in its own colours', async () => {
    const { picture, size } = await posterOf('image/heic', turnedHeic);
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([240, 320]);
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, await colourAt(picture, 0.8, 0.5)]).toEqual([240, 320, 'blue']);
    expect([data[0], data[1]].map((value = 0) => Math.round(value / 16))).toEqual([16, 0]);
  });

  test('a TIFF, by the preview of an EPS too', async () => {
    const tiff = await twoColours(3_000, 1_500).tiff().toBuffer();
    for (const [type, bytes, own] of [
      ['image/tiff', tiff, [3_000, 1_500]],
      ['application/postscript', eps(tiff), [null, null]],
      ['application/illustrator', eps(tiff), [null, null]],
    ] as const) {
      const { picture, size } = await posterOf(type, bytes);
      if (!picture) throw new Error('There is no poster.');
      expect(size).toEqual(own);
      expect(await sharp(picture).metadata()).toMatchObject({ width: 2_048, height: 1_024 });
      expect(await colourAt(picture, 0.5, 0.2)).toBe('red');
    }
  });

  test('a sequence of AVIF', async () => {
    const sequence = await twoColours(320, 240).avif().toBuffer();
    sequence.write('avis', 8);
    expect(await posterOf('image/avif', sequence)).toMatchObject({ status: 'made', size: [320, 240] });
  });

  test('noise at 1,024 px, because its poster would have too many bytes', async () => {
    const noise = await sharp(randomBytes(1_920 * 1_920 * 3), { raw: { width: 1_920, height: 1_920, channels: 3 } })
      .tiff()
      .toBuffer();
    const { picture, size } = await posterOf('image/tiff', noise);
    if (!picture) throw new Error('There is no poster.');
    expect(size).toEqual([1_920, 1_920]);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 1_024, height: 1_024 });
  });
});

describe('draws by what the bytes are', () => {
  const turned = () => twoColours(400, 300).jpeg().withMetadata({ orientation: 3 }).toBuffer();
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a JPEG that is called a PNG, upright', 'image/png', turned],
    [
      'a PNG that is called an SVG',
      'image/svg+xml',
      async () =>
        sharp(await twoColours(400, 300).png().toBuffer())
          .rotate(180)
          .png()
          .toBuffer(),
    ],
    [
      'a PSD that is called a JPEG',
      'image/jpeg',
      () => twoColouredPsd({ channels: [halves(400, 300, 0, 255), Buffer.alloc(120_000), halves(400, 300, 255, 0)] }),
    ],
    [
      'an SVG that is called a PNG',
      'image/png',
      () => svgOf('<rect width="100" height="100" fill="red"/><rect width="100" height="50" fill="blue"/>'),
    ],
  ])('%s', async (_, type, make) => {
    const { picture } = await posterOfOld(type, await make());
    if (!picture) throw new Error('There is no poster.');
    expect([await colourAt(picture, 0.5, 0.2), await colourAt(picture, 0.5, 0.8)]).toEqual(['blue', 'red']);
  });
});

test('a picture that cannot be drawn keeps its size', async () => {
  for (const [type, bytes] of [
    ['image/png', blackPng(30_000, 30_000)],
    [psdType, psd(30_000, 30_000)],
    ['image/heic', sizedHeic(30_000, 30_000)],
  ] as const)
    expect(await posterOf(type, bytes)).toMatchObject({ status: 'failed', picture: null, size: [30_000, 30_000] });
});

test('a file whose poster fails keeps the size that was read before', async () => {
  const { id } = await newFile(studio.service, studio.key, pdf('<</Type/Catalog>>'), {
    content_type: 'application/pdf',
  });
  await sql`update files set pixel_width = 640, pixel_height = 360 where id = ${uuidOf('file', id)}`.execute(
    studio.service.context.db,
  );
  expect(await drawn(id)).toMatchObject({ status: 'failed', size: [640, 360] });
});

const manyUses = Array.from({ length: 30 }, (_, n) => {
  const use = `<use href="#a${n}"/>`;
  return `<g id="a${n + 1}">${use.repeat(10)}</g>`;
}).join('');
const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
const svgOf = (inside: string, size = 'width="100" height="100"', before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" ${size}>${inside}</svg>`);

describe('a broken or hostile file costs its poster and nothing else', () => {
  const fine = () => twoColours(200, 200).png().toBuffer();
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a PNG of 900 million pixels', 'image/png', () => blackPng(30_000, 30_000)],
    ['a PNG cut off in the middle', 'image/png', async () => (await fine()).subarray(0, 300)],
    [
      'a JPEG cut off in the middle',
      'image/jpeg',
      async () => {
        const noise = await sharp({
          create: {
            width: 500,
            height: 500,
            channels: 3,
            background: 'red',
            noise: { type: 'gaussian', mean: 128, sigma: 50 },
          },
        })
          .jpeg()
          .toBuffer();
        return noise.subarray(0, noise.length / 2);
      },
    ],
    ['a PSD of 30,000 × 30,000', psdType, () => psd(30_000, 30_000)],
    ['a PSD of 100,000 × 100,000', psdType, () => psd(100_000, 100_000)],
    ['a PSD whose rows are missing', psdType, () => psd(400, 300, { channels: [Buffer.alloc(0)], mode: 1 })],
    ['a PSD that is cut off in its layers', psdType, () => twoColouredPsd().subarray(0, 36)],
    ['a PSD that was saved without its picture', psdType, () => twoColouredPsd({ resources: withoutPicture })],
    ['a HEIC that is cut off', 'image/heic', () => turnedHeic.subarray(0, 900)],
    ['a HEIC of 30,000 × 30,000', 'image/heic', () => sizedHeic(30_000, 30_000)],
    ['a HEIC whose picture is smaller than it says', 'image/heic', () => sizedHeic(4_000, 3_000)],
    ['an EPS without a preview', 'application/postscript', () => Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n0 0 m')],
    ['an EPS whose preview is a program', 'application/postscript', () => eps(Buffer.from('%!PS'))],
    ['an EPS whose preview is an SVG', 'application/postscript', () => eps(svgOf('<rect width="9" height="9"/>'))],
    ['an EPS whose preview lies outside', 'application/postscript', () => eps(Buffer.alloc(0)).fill(255, 20, 28)],
    ['an SVG of 10^30 shapes', 'image/svg+xml', () => svgOf(`<g id="a0"><rect width="9" height="9"/></g>${manyUses}`)],
    [
      'an SVG of 10^12 entities',
      'image/svg+xml',
      () => svgOf('<text y="9">&e12;</text>', '', `<!DOCTYPE svg [<!ENTITY e0 "x">${entities}]>`),
    ],
    ['an SVG that is nested a million times', 'image/svg+xml', () => svgOf('<g>'.repeat(1e6) + '</g>'.repeat(1e6))],
    ['a PDF without pages', 'application/pdf', () => pdf('<</Type/Catalog>>')],
    [
      'a PDF whose pages contain themselves',
      'application/pdf',
      () => pdf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>'),
    ],
    ['a PDF cut off in the middle', 'application/pdf', () => Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Cat')],
    [
      'a PDF that unpacks to 300 MB',
      'application/pdf',
      () => {
        return pageThatDraws(Buffer.alloc(300e6, 'q '));
      },
    ],
    ['a PDF that draws for hours', 'application/pdf', () => pageThatDraws('0 0 m 600 800 l S\n'.repeat(4e6))],
  ])('%s', { timeout: 60_000 }, async (_, type, make) => {
    const { status, picture } = await posterOf(type, await make());
    expect([status, picture]).toEqual(['failed', null]);
    const { picture: next } = await posterOf('image/png', await fine());
    expect(next).not.toBeNull();
  });

  test.each<[string, string, Buffer]>([
    ['text that is called a PNG', 'image/png', Buffer.from('not a picture')],
    ['an SVG of 10^30 shapes that is called a PNG', 'image/png', svgOf(`<g id="a0"/>${manyUses}`)],
    ['a BMP that is called a PNG', 'image/png', Buffer.from('424d3a0000000000000036000000', 'hex')],
    ['text that is called a PDF', 'application/pdf', Buffer.from('not a PDF')],
  ])('%s', async (_, type, bytes) => {
    const { status, picture } = await posterOfOld(type, bytes);
    expect([status, picture]).toEqual(['failed', null]);
  });

  test.each<[string, string, () => Buffer]>([
    [
      'an SVG of 10^9 by 10^9',
      'image/svg+xml',
      () => svgOf('<rect width="9" height="9"/>', 'width="1e9" height="1e9"'),
    ],
    [
      'a PDF page of 10^9 by 10^9',
      'application/pdf',
      () =>
        pdf(
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000000000 1000000000]>>',
        ),
    ],
    [
      'a PDF whose form draws itself',
      'application/pdf',
      () =>
        pageThatDraws('/X Do', {
          content: '/X Do',
          more: '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>',
        }),
    ],
    ['a PNG of one by 100,000 pixels', 'image/png', () => blackPng(1, 100_000)],
  ])('%s is small or not drawn', async (_, type, make) => {
    const { status, picture } = await posterOf(type, make());
    if (!picture) return expect(status).toBe('failed');
    const { width, height } = await sharp(picture).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(1_024);
  });
});

const nestedUses = (depth: number, width: number) =>
  `<defs><rect id="a0" width="9" height="9"/>${Array.from({ length: depth }, (_, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(width)}</g>`).join('')}</defs><use href="#a${depth}"/>`;

describe('a file that would take too long', () => {
  const attemptsOf = async (id: string) =>
    studio.service.context.db
      .selectFrom('files')
      .select('poster_attempts')
      .where('id', '=', uuidOf('file', id))
      .execute();
  test('a PSD of more rows than any has: refused before they are listed', async () => {
    const psdOfRows = psd(1, 1, { channels: [Buffer.alloc(1)], mode: 1 });
    psdOfRows.writeUInt32BE(100_000_000, 14);
    psdOfRows.writeUInt16BE(0, 44); // rows that are not packed have no list
    const { id, status } = await posterOf(psdType, psdOfRows);
    expect([status, await attemptsOf(id)]).toEqual(['failed', [{ poster_attempts: 1 }]]);
  });

  test.each([
    ['uses nested twelve times', nestedUses(12, 3)],
    ['10^5 copies of a shape', nestedUses(5, 10)],
    ['200 filters', `<filter id="f"><feFlood/></filter>${'<rect filter="url(#f)" width="1" height="1"/>'.repeat(200)}`],
  ])('%s: refused before it is drawn', async (_, inside) => {
    const { id, status } = await posterOf('image/svg+xml', svgOf(inside));
    expect([status, await attemptsOf(id)]).toEqual(['failed', [{ poster_attempts: 1 }]]);
  });

  test('symbols in symbols, many shapes and some filters are drawn', async () => {
    const plain =
      '<rect id="one" width="9" height="9" style="filter: url(#f)"/>'.repeat(20) + '<path d="M0 0"/>'.repeat(12_000);
    const { status } = await posterOf('image/svg+xml', svgOf(nestedUses(3, 10) + plain));
    expect(status).toBe('made');
  });
});

describe('whose poster is next', () => {
  const customer = async () => ({ ...studio, ...(await newCustomer(studio.service, 'studio')) });
  const upload = async ({ key }: { key: string }) => newFile(studio.service, key, blackPng(9, 9));
  /** Their keys follow the order in which they were written. */
  const order = async (...files: { id: string }[]) => {
    const ids = files.map(({ id }) => uuidOf('file', id));
    const rows = studio.service.context.db.selectFrom('files').select('id').where('id', 'in', ids);
    const drawn = await rows.where('poster_status', '=', 'made').orderBy('poster_key').execute();
    return drawn.map(({ id }) => ids.indexOf(id));
  };

  test('accounts take turns, and the studio beside its customer', async () => {
    const [ada, bob] = [await customer(), await customer()];
    const files = [await upload(ada), await upload(ada), await upload(ada), await upload(bob)];
    const job = await newJobIn(ada, 'running');
    files.push(await newDeliverable(studio.service, studio.operator.token, job, blackPng(9, 9)));
    await draw();
    expect(await order(...files)).toEqual([0, 3, 4, 1, 2]);
  });

  test(
    'an account whose drawing was killed comes last, and holds up others once at most',
    { timeout: 60_000 },
    async () => {
      const [ada, bob] = [await customer(), await customer()];
      const heavy = pageThatDraws('0 0 m 600 800 l S\n'.repeat(4e6));
      const ended = await newFile(studio.service, ada.key, heavy, { content_type: 'application/pdf' });
      const files = [await upload(ada), await upload(bob), await upload(bob), await upload(bob)];
      await draw();
      expect(await studio.service.call('GET', `/api/v1/files/${ended.id}`, { as: ada.key })).toMatchObject({
        body: { file: { poster_status: 'failed' } },
      });
      expect(await order(...files)).toEqual([1, 2, 3, 0]);
    },
  );
});

/** Ends as a lost bucket does, without an error code. */
const brokenOff = () =>
  Readable.from(
    (async function* () {
      yield Buffer.from('some');
      throw new Error('Premature close');
    })(),
  );

describe('the task', () => {
  const pendingFile = async () => (await newFile(studio.service, studio.key, blackPng(9, 9))).id;
  const set = (text: ReturnType<typeof sql>) => sql`update files set ${text} where poster_status = 'pending'`;

  test('a storage that does not answer is asked again, and no attempt is counted', async () => {
    const id = await pendingFile();
    await storage.down();
    await expect(draw()).rejects.toThrow();
    await storage.up();
    expect((await read(id)).poster_status).toBe('pending');
    await set(sql`poster_due_at = now() - interval '1 ms'`).execute(studio.service.context.db);
    await draw();
    expect((await read(id)).poster_status).toBe('made');
  });

  test.each([
    [1, 'of the service', new Error('no value of the table')],
    [0, 'of a database that is away', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    [0, 'of a storage that breaks off', null],
  ])('%i attempts are counted after an error %s', async (attempts, _, error) => {
    const id = await pendingFile();
    const { context } = studio.service;
    const objects = { ...context.storage };
    if (error) objects.write = () => Promise.reject(error);
    else objects.open = async () => ({ bytes: 9, stream: brokenOff() });
    await expect(makePosters({ ...context, storage: objects }, new AbortController().signal)).rejects.toThrow();
    const row = context.db.selectFrom('files').selectAll().where('id', '=', uuidOf('file', id));
    const { poster_attempts, poster_due_at } = await row.executeTakeFirstOrThrow();
    expect(poster_attempts).toBe(attempts);
    const seconds = (Number(poster_due_at) - Date.now()) / 1000;
    expect([seconds > 0, seconds > 60]).toEqual([true, attempts === 1]); // others have their turn first
    await set(sql`poster_due_at = now() - interval '1 ms'`).execute(context.db);
    await draw();
  });

  test('after a service that ended three times while it drew a file, the file counts as failed', async () => {
    const id = await pendingFile();
    await set(sql`poster_attempts = 3`).execute(studio.service.context.db);
    await draw();
    expect((await read(id)).poster_status).toBe('failed');
  });

  test('is run by a completed upload at once, and not by a file that is not drawn', { timeout: 60_000 }, async () => {
    const task = scheduledTasks.makePosters;
    if (!task) throw new Error('There is no such task.');
    const { everySeconds } = task;
    task.everySeconds = 3_600;
    const queue = startScheduledTasks(studio.service.context, studio.service.databaseUrl);
    const run = vi.spyOn(task, 'run');
    try {
      await newFile(studio.service, studio.key, Buffer.from('hello'), { content_type: 'text/plain' });
      expect(run).not.toHaveBeenCalled();
      const id = await pendingFile();
      await expect.poll(async () => (await read(id)).poster_status, { timeout: 50_000 }).not.toBe('pending');
    } finally {
      task.everySeconds = everySeconds;
      run.mockRestore();
      await queue.stop();
    }
  });

  test('moves wait for no poster', { timeout: 60_000 }, async () => {
    const job = await newJobIn(studio, 'running');
    const heavy = pageThatDraws('0 0 m 600 800 l S\n'.repeat(4e6));
    const type = { content_type: 'application/pdf' };
    const { id } = await newDeliverable(studio.service, studio.operator.token, job, heavy, type);
    const stop = new AbortController();
    const drawn = draw(stop.signal);
    const submitted = await post(studio.service, studio.operator.token, pathOf('submit', job), { file_ids: [id] });
    expect(submitted.status).toBe(200);
    await makeMoves(studio, job, 'pass', 'approve');
    expect(await read(id)).toMatchObject({ poster: null, poster_status: 'pending', status: 'uploaded' });
    stop.abort();
    await drawn;
    await sql`update files set poster_status = 'failed', poster_due_at = null where id = ${uuidOf('file', id)}`.execute(
      studio.service.context.db,
    );
  });

  test('a service that stops ends the drawing, and the file stays pending', async () => {
    const { id } = await newFile(studio.service, studio.key, pageThatDraws('0 0 m 600 800 l S\n'.repeat(4e6)), {
      content_type: 'application/pdf',
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1_500);
    await draw(stop.signal);
    // If it were not ended, it would be drawn, or fail at its time limit.
    expect((await read(id)).poster_status).toBe('pending');
    await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
  });

  test('a file that is deleted while it is drawn leaves no poster', async () => {
    const before = (await posters()).length;
    const { id } = await newFile(studio.service, studio.key, await twoColours(6_000, 6_000).png().toBuffer());
    const drawn = draw();
    await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
    await drawn;
    expect((await posters()).length).toBe(before);
  });

  test('two processes draw each file once', async () => {
    const before = (await posters()).length;
    await Promise.all([pendingFile(), pendingFile(), pendingFile()]);
    await Promise.all([draw(), draw(), draw()]);
    expect((await posters()).length).toBe(before + 3);
  });
});
