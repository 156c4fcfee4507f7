import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { deadlines } from '../lib/deadlines.ts';
import { inSpan } from '../lib/trace.ts';
import {
  isKey,
  isTrashKey,
  ownerKey,
  probeKey,
  type Storage,
  storageDown,
  type Stored,
  type UploadTerms,
} from './storage.ts';

/** `prefix`: empty, or a folder of the bucket that ends with `/`, for each of several installations. */
export type S3Config = { bucket: string; prefix: string; endpoint: string | null; region: string };

/** 27 packages, loaded only if this storage is used. Credentials come from the usual AWS variables. */
async function load({ endpoint, region }: S3Config) {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Without this, a presigned URL has the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: deadlines.storage.connect },
  });
  client.middlewareStack.add(
    (next, { commandName = 'request' }) =>
      (args) =>
        inSpan(`s3 ${commandName}`, {}, () => next(args)),
    { step: 'deserialize', name: 'trace' }, // which signing a URL does not reach
  );
  return { ...sdk, getSignedUrl, client };
}

function missing(error: unknown): boolean {
  const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string };
  return $metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket';
}

type Sdk = Awaited<ReturnType<typeof load>>;

type Ask = <Answer>(
  run: (sdk: Sdk, limit: { abortSignal: AbortSignal }) => Promise<Answer>,
  milliseconds?: number,
) => Promise<Answer | null>;

/** A signed PUT. The command has no parameter for the maximum size, so the header is signed separately. */
function signUpload({ PutObjectCommand, getSignedUrl, client }: Sdk, Bucket: string, Key: string, terms: UploadTerms) {
  const { contentType, bytes, from, seconds } = terms;
  const command = new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: bytes });
  command.middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-service-max-size'] = String(bytes);
      return next(args);
    },
    { step: 'build', name: 'maxSize' },
  );
  const headers = new Set(['content-type', 'content-length', 'x-service-max-size']);
  const signed = { signableHeaders: headers, unhoistableHeaders: headers };
  return getSignedUrl(client, command, { ...signed, signingDate: from, expiresIn: seconds });
}

/** An S3 bucket. Clients upload and download directly; the service only signs, copies and deletes. */
export function createS3Storage(config: S3Config): Storage {
  let loading: Promise<Sdk> | undefined;
  const { bucket: Bucket, prefix } = config;
  const at = (key: string) => prefix + key;
  const place = { Bucket, at };

  /** Null if there is no such object. A missing bucket counts as a storage that is down. */
  async function ask<Answer>(
    run: (sdk: Sdk, limit: { abortSignal: AbortSignal }) => Promise<Answer>,
    milliseconds: number = deadlines.storage.answer,
  ) {
    try {
      return await run(await (loading ??= load(config)), {
        abortSignal: AbortSignal.timeout(milliseconds),
      });
    } catch (error) {
      if (missing(error)) return null;
      throw storageDown(error);
    }
  }
  /** With keys as we know them. */
  async function* list(beginning: string) {
    const Prefix = at(beginning);
    for (let ContinuationToken: string | undefined; ;) {
      const page = await ask(({ ListObjectsV2Command, client }, limit) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), limit),
      );
      for (const { Key, LastModified } of page?.Contents ?? []) yield { Key: Key?.slice(prefix.length), LastModified };
      ContinuationToken = page?.NextContinuationToken;
      if (!ContinuationToken) return;
    }
  }
  const sign = async (make: (sdk: Sdk) => Promise<string>) => (await ask(make)) ?? '';

  return {
    uploadUrl: (key, terms) => sign((sdk) => signUpload(sdk, Bucket, at(key), terms)),
    downloadUrl: (key, { contentType, disposition, from, seconds }) =>
      sign(({ GetObjectCommand, getSignedUrl, client }) => {
        const command = new GetObjectCommand({
          Bucket,
          Key: at(key),
          ResponseContentType: contentType,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: 'private, no-store',
        });
        return getSignedUrl(client, command, { signingDate: from, expiresIn: seconds });
      }),
    pin: (upload, key) =>
      ask(async ({ CopyObjectCommand, HeadObjectCommand, client }, limit): Promise<Stored> => {
        const Key = at(key);
        await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${at(upload)}` }), limit);
        const head = await client.send(new HeadObjectCommand({ Bucket, Key }), limit);
        return { etag: head.ETag ?? '', bytes: head.ContentLength ?? 0, contentType: head.ContentType ?? '' };
      }),
    readStart: readerIn(ask, place),
    ...objectsIn(ask, place),
    remove: removerIn(ask, place),
    keysBefore: async function* (time) {
      for await (const { Key, LastModified } of list(''))
        if (Key && isKey(Key) && LastModified && LastModified < time) yield Key;
    },
    trashKeys: async function* () {
      for await (const { Key } of list('trash/')) if (Key && isTrashKey(Key)) yield Key;
    },
    move: moverIn(ask, place),
    diskSpace: () => Promise.resolve(null),
    ready: () => Promise.resolve(),
    ...ownerIn(ask, place),
  };
}

type Place = { Bucket: string; at(key: string): string };

const moverIn =
  (ask: Ask, { Bucket, at }: Place): Storage['move'] =>
  async (from, to) => {
    await ask(async ({ CopyObjectCommand, DeleteObjectCommand, client }, limit) => {
      const moved = { Bucket, Key: at(to), CopySource: `${Bucket}/${at(from)}` };
      await client.send(new CopyObjectCommand(moved), limit);
      await client.send(new DeleteObjectCommand({ Bucket, Key: at(from) }), limit);
    }, deadlines.storage.move);
  };

const removerIn =
  (ask: Ask, { Bucket, at }: Place): Storage['remove'] =>
  async (key) => {
    const object = { Bucket, Key: at(key) };
    await ask(({ DeleteObjectCommand, client }, limit) => client.send(new DeleteObjectCommand(object), limit));
  };

const readerIn =
  (ask: Ask, { Bucket, at }: Place): Storage['readStart'] =>
  (key, bytes) =>
    ask(async ({ GetObjectCommand, client }, limit) => {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key: at(key), Range: `bytes=0-${bytes - 1}` }),
        limit,
      );
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    });

const objectsIn = (
  ask: Ask,
  { Bucket, at }: Place,
): Pick<Storage, 'measure' | 'open' | 'write' | 'writeFile' | 'removeAbandoned'> => ({
  measure: (key) =>
    ask(async ({ HeadObjectCommand, client }, limit) => {
      const { ETag, ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: at(key) }), limit);
      return { etag: ETag ?? '', bytes: ContentLength ?? 0 };
    }),
  open: (key, milliseconds) =>
    ask(async ({ GetObjectCommand, client }, limit) => {
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key: at(key) }), limit);
      return { bytes: ContentLength ?? 0, stream: Body as Readable };
    }, milliseconds),
  write: async (key, { contentType, bytes }) => {
    const object = { Bucket, Key: at(key), Body: bytes, ContentType: contentType };
    await ask(({ PutObjectCommand, client }, limit) => client.send(new PutObjectCommand(object), limit));
  },
  writeFile: async (key, { contentType, path }) => {
    const { size: ContentLength } = await stat(path);
    await ask(({ PutObjectCommand, client }, limit) => {
      const object = { Bucket, Key: at(key), Body: createReadStream(path), ContentType: contentType, ContentLength };
      return client.send(new PutObjectCommand(object), limit);
    }, deadlines.storage.move);
  },
  removeAbandoned: () => Promise.resolve(), // a bucket shows no half-written objects
});

/** The owner object. `IfNoneMatch` fails if another process wrote it first. */
function ownerIn(ask: Ask, { Bucket, at }: Place): Pick<Storage, 'readOwner' | 'writeOwner' | 'probe'> {
  const Key = at(ownerKey);
  const read = async ({ GetObjectCommand, client }: Sdk, limit: { abortSignal: AbortSignal }) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), limit);
    return (await Body?.transformToString()) ?? '';
  };
  return {
    // The SDK repeats a request, but not the reading of an answer that broke off.
    readOwner: () => ask((sdk, limit) => read(sdk, limit).catch(() => read(sdk, limit))),
    writeOwner: async (Body, { replace }) => {
      await ask(({ PutObjectCommand, client }, limit) =>
        client
          .send(new PutObjectCommand({ Bucket, Key, Body, ...(replace ? {} : { IfNoneMatch: '*' }) }), limit)
          .catch(unlessThere),
      );
    },
    probe: async () => {
      const object = { Bucket, Key: at(probeKey), Body: 'This bucket takes writes.\n' };
      await ask(({ PutObjectCommand, client }, limit) => client.send(new PutObjectCommand(object), limit));
    },
  };
}

function unlessThere(error: unknown): void {
  if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 412) throw error;
}
