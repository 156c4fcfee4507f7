import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { complete, openTestStorage, presign, put, someBytes, type Upload } from '../../support/files.ts';
import { type Figure, type Measured, type Session, seconds, some, until } from '../figure.ts';
import { checkBooks, judgeOrders, orderFaults, showOrders } from '../judge.ts';
import { firstGood } from '../load.ts';
import { beginOrders } from '../orders.ts';
import { openSmallDisk } from '../small-disk.ts';
import { broken, type Customer, newCustomer, service, withWorld, type World } from '../world.ts';

const text = { content_type: 'text/plain', file_name: 'brief.txt' };

/** Postgres has no space for ten seconds, while clients order. */
async function fullDatabase({ random }: Session): Promise<Measured> {
  const disk = await openSmallDisk(400);
  const postgres = { shared_buffers: '32MB', max_wal_size: '64MB', min_wal_size: '32MB' };
  try {
    return await withWorld({ folder: disk.folder, postgres }, async (world) => {
      const { first, second } = world;
      const customer = await newCustomer(world);
      const orders = await beginOrders(world, { customer, clients: 4, origins: [first.url, second.url], random });
      await wait(1_000);
      // Their own logs need some space.
      disk.fill(2 ** 21);
      const isRefused = () => orders.outcomes.slice(-20).some(({ status }) => status === 503);
      await until('an order is refused because the disk is full', isRefused, 120_000);
      await wait(8_000);
      disk.empty();
      const freed = performance.now();
      await until('an order is taken again', () => firstGood(orders.outcomes, freed) < Infinity);
      const verdict = await judgeOrders(world, customer, await orders.stop());
      const others = orders.outcomes.filter(({ status, fault }) => status !== 503 && (status > 299 || fault !== null));
      return {
        measured: `database: ${showOrders(verdict)}, an order ${seconds(firstGood(orders.outcomes, freed))} after there was space`,
        faults: [
          ...orderFaults(verdict),
          ...some(
            'other answers',
            others.map(({ status, code, fault }) => `${status} ${code ?? ''} ${fault ?? ''}`),
          ),
        ],
      };
    });
  } finally {
    await disk.close();
  }
}

/** Uploads until a disk of 16 MB is full, then again once there is space. */
async function fullFolder(): Promise<Measured> {
  const disk = await openSmallDisk(16);
  try {
    return await withWorld({ env: { STORAGE_URL: `file:${disk.folder}/files` } }, async (world) => {
      const { service: at } = world;
      const { key } = await newCustomer(world);
      const bytes = someBytes(2 ** 21);
      const upload = async () => {
        const { body } = await presign(at, key, bytes, text);
        const sent = await put(at, body.upload, bytes).catch(() => ({ status: 0, text: '' }));
        const completed = await complete(at, key, body.file.id);
        return `PUT ${sent.status}, complete ${completed.status}`;
      };
      const before: string[] = [];
      for (let n = 0; n < 10; n++) before.push(await upload());
      execFileSync('mount', ['-o', 'remount,size=64m', disk.folder]);
      const after = await upload();
      const good = 'PUT 200, complete 200';
      const full = before.filter((answer) => answer !== good);
      const strange = full.filter((answer) => !/^PUT (503|507), complete 409$/.test(answer));
      return {
        measured: `folder: ${before.length - full.length} uploads, ${full.length} refused when it was full`,
        faults: [
          ...(full.length === 0 ? ['the folder was never full'] : []),
          ...some('other answers', strange),
          ...(after === good ? [] : [`after there was space: ${after}`]),
          ...some('contradictions', await checkBooks(world)),
        ],
      };
    });
  } finally {
    await disk.close();
  }
}

/** Sends half of the bytes, kills the process, and resolves once the connection is gone. */
function sendHalf(world: World, { url, headers, method }: Upload, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method, headers: { ...headers, 'content-length': bytes.length } });
    sent.on('error', () => resolve());
    sent.on('response', (response) => response.resume().on('end', resolve));
    sent.write(bytes.subarray(0, bytes.length / 2), () => {
      setTimeout(() => void world.first.end('SIGKILL'), 50);
    });
  });
}

async function killDuringUpload(world: World, { key }: Customer, kills: number): Promise<string[]> {
  const faults: string[] = [];
  const bytes = someBytes(2 ** 22);
  const other = { ...world.service, url: world.second.url };
  for (let n = 0; n < kills; n++) {
    const { body } = await presign(world.service, key, bytes, text);
    await sendHalf(world, body.upload, bytes);
    await world.first.start();
    const half = await complete(world.service, key, body.file.id);
    const again = await put(other, body.upload, bytes);
    const whole = await complete(world.service, key, body.file.id);
    const answers = [half.status, again.status, whole.status, whole.body.file?.stored_bytes ?? bytes.length].join(' ');
    if (answers !== `409 200 200 ${bytes.length}`) faults.push(answers);
  }
  return faults;
}

async function brokenUploads(kills: number): Promise<Measured> {
  return withWorld({}, async (world) => {
    const customer = await newCustomer(world);
    const faults = await killDuringUpload(world, customer, kills);
    return {
      measured: `${kills} × kill -9 during an upload, ${faults.length} files wrong`,
      faults: [...some('uploads wrong', faults), ...some('contradictions', await checkBooks(world))],
    };
  });
}

/** The bucket is gone between upload and completion. */
async function lostBucket(): Promise<Measured> {
  const storage = await openTestStorage('s3');
  const env = { ...storage.env, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  try {
    return await withWorld({ env }, async (world) => {
      const { key } = await newCustomer(world);
      const bytes = someBytes();
      const { body } = await presign(world.service, key, bytes, text);
      const sent = await put(world.service, body.upload, bytes);
      await storage.down();
      const refused = await complete(world.service, key, body.file.id);
      await storage.up();
      const completed = await complete(world.service, key, body.file.id);
      const answers = [sent.status, refused.status, completed.status].join(', ');
      return {
        measured: `bucket gone: upload, completion, completion once it is back ${answers}`,
        faults: [
          ...(answers === '200, 503, 200' ? [] : [`answers ${answers}`]),
          ...some('contradictions', await checkBooks(world)),
        ],
      };
    });
  } finally {
    await storage.close();
  }
}

async function measure(session: Session): Promise<Measured> {
  const parts = [await fullDatabase(session), await fullFolder(), await brokenUploads(20), await lostBucket()];
  return {
    measured: parts.map(({ measured }) => measured).join('; '),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

/** Completes what was never uploaded. */
const control = () =>
  withWorld({ programs: [broken('unverified-upload'), service] }, async (world): Promise<Measured> => {
    const { key } = await newCustomer(world);
    const { body } = await presign(world.service, key, someBytes(), text);
    const { status } = await complete(world.service, key, body.file.id);
    const found = await checkBooks(world);
    return {
      measured: `completed without bytes: ${status}, ${found.length} contradictions`,
      faults: some('contradictions', found),
    };
  });

export const fullDisks: Figure = {
  name: 'F12',
  title: 'no space for Postgres or for files, kill -9 during uploads, the bucket gone',
  target: '0 acknowledged jobs lost, 0 files uploaded without their bytes, nothing to do by hand',
  inShort: false,
  run: measure,
  control,
};
