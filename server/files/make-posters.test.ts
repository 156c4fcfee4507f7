import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  openTestStorage,
  reachable,
  type TestStorage,
} from '../../test/support/files.ts';
import { createStudio, newCustomer, newJobIn, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { blackPng, colourAt, pageThatDraws, pdf, twoColours } from '../../test/support/pictures.ts';
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
  const { id } = await newFile(studio.service, studio.key, bytes, { content_type });
  await draw();
  const file = await read(id);
  const picture = file.poster && (await bytesOf(await fetch(reachable(studio.service, file.poster))));
  return { id, status: file.poster_status as string, picture: picture as Buffer | null };
}

test('pending until it is drawn; then a signed URL of a picture of at most 1,024 px', async () => {
  const bytes = await twoColours(4_000, 3_000).png().toBuffer();
  const file = await newFile(studio.service, studio.key, bytes);
  expect([file.poster, file.poster_status]).toEqual([null, 'pending']);
  await draw();
  const { poster, poster_status } = await read(file.id);
  expect(poster_status).toBe('made');
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

describe('draws', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)('image/%s', async (format) => {
    const { picture } = await posterOf(`image/${format}`, await twoColours(320, 240).toFormat(format).toBuffer());
    if (!picture) throw new Error('There is no poster.');
    expect(await sharp(picture).metadata()).toMatchObject({ width: 320, height: 240 });
    expect([await colourAt(picture, 0.5, 0.2), await colourAt(picture, 0.5, 0.8)]).toEqual(['red', 'blue']);
  });

  test('a turned photograph upright, without its metadata', async () => {
    const exif = { IFD0: { Copyright: 'secret place' } };
    const photo = await twoColours(400, 300).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer();
    expect(photo.includes('secret place')).toBe(true);
    const { picture } = await posterOf('image/jpeg', photo);
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
    if (picture) expect(await sharp(picture).metadata()).toMatchObject({ width: 1_024, height: 512 });
    else expect(status).toBe('failed');
  });

  test('a plain SVG, enlarged', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="red"/></svg>';
    const { picture } = await posterOf('image/svg+xml', Buffer.from(svg));
    if (!picture) throw new Error('There is no poster.');
    expect(await sharp(picture).metadata()).toMatchObject({ width: 1_024, height: 512 });
    expect(await colourAt(picture, 0.5, 0.5)).toBe('red');
  });

  test.each(['application/pdf', 'application/illustrator'])('the first page of %s', async (type) => {
    const page = pageThatDraws('1 0 0 rg 0 0 600 400 re f 0 0 1 rg BT /F1 200 Tf 50 500 Td (HHHHH) Tj ET');
    const { picture } = await posterOf(type, page);
    if (!picture) throw new Error('There is no poster.');
    expect(await sharp(picture).metadata()).toMatchObject({ width: 768, height: 1_024 });
    expect([await colourAt(picture, 0.5, 0.9), await colourAt(picture, 0.99, 0.05)]).toEqual(['red', 'white']);
    const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const isBlue = (_: number, at: number) => at % 3 === 0 && (data[at] ?? 0) < 80 && (data[at + 2] ?? 0) > 200;
    expect(data.filter(isBlue).length).toBeGreaterThan(10_000); // the letters
  });

  test('no poster for other types: none', async () => {
    const { status, picture } = await posterOf('text/plain', Buffer.from('hello'));
    expect([status, picture]).toEqual(['none', null]);
  });
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
    ['text that is called a PNG', 'image/png', () => Buffer.from('not a picture')],
    ['an SVG that is called a PNG', 'image/png', () => svgOf('<rect width="9" height="9"/>')],
    ['a PNG that is called an SVG', 'image/svg+xml', fine],
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
    ['text that is called a PDF', 'application/pdf', () => Buffer.from('not a PDF')],
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

describe('an SVG that would take too long', () => {
  const attemptsOf = async (id: string) =>
    studio.service.context.db
      .selectFrom('files')
      .select('poster_attempts')
      .where('id', '=', uuidOf('file', id))
      .execute();
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

  test('after a service that ended three times while it drew a file, the file counts as failed', async () => {
    const id = await pendingFile();
    await set(sql`poster_attempts = 3`).execute(studio.service.context.db);
    await draw();
    expect((await read(id)).poster_status).toBe('failed');
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
