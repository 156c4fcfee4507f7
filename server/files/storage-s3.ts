import type { Readable } from 'node:stream';
import { deadlines } from '../lib/deadlines.ts';
import { isKey, isTrashKey, ownerKey, type Storage, storageDown, type Stored, type UploadTerms } from './storage.ts';

export type S3Config = { bucket: string; endpoint: string | null; region: string };

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
  const { bucket: Bucket } = config;

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
  async function* list(Prefix: string) {
    for (let ContinuationToken: string | undefined; ;) {
      const page = await ask(({ ListObjectsV2Command, client }, limit) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), limit),
      );
      yield* page?.Contents ?? [];
      ContinuationToken = page?.NextContinuationToken;
      if (!ContinuationToken) return;
    }
  }
  const sign = async (make: (sdk: Sdk) => Promise<string>) => (await ask(make)) ?? '';

  return {
    uploadUrl: (key, terms) => sign((sdk) => signUpload(sdk, Bucket, key, terms)),
    downloadUrl: (Key, { contentType, disposition, from, seconds }) =>
      sign(({ GetObjectCommand, getSignedUrl, client }) => {
        const command = new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentType: contentType,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: 'private, no-store',
        });
        return getSignedUrl(client, command, { signingDate: from, expiresIn: seconds });
      }),
    pin: (upload, Key) =>
      ask(async ({ CopyObjectCommand, HeadObjectCommand, client }, limit): Promise<Stored> => {
        await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${upload}` }), limit);
        const head = await client.send(new HeadObjectCommand({ Bucket, Key }), limit);
        return { etag: head.ETag ?? '', bytes: head.ContentLength ?? 0, contentType: head.ContentType ?? '' };
      }),
    readStart: readerIn(ask, Bucket),
    ...objectsIn(ask, Bucket),
    remove: removerIn(ask, Bucket),
    keysBefore: async function* (time) {
      for await (const { Key, LastModified } of list(''))
        if (Key && isKey(Key) && LastModified && LastModified < time) yield Key;
    },
    trashKeys: async function* () {
      for await (const { Key } of list('trash/')) if (Key && isTrashKey(Key)) yield Key;
    },
    move: async (from, Key) => {
      await ask(async ({ CopyObjectCommand, DeleteObjectCommand, client }, limit) => {
        await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` }), limit);
        await client.send(new DeleteObjectCommand({ Bucket, Key: from }), limit);
      }, deadlines.storage.move);
    },
    ...ownerIn(ask, Bucket),
  };
}

const removerIn =
  (ask: Ask, Bucket: string): Storage['remove'] =>
  async (Key) => {
    await ask(({ DeleteObjectCommand, client }, limit) => client.send(new DeleteObjectCommand({ Bucket, Key }), limit));
  };

const readerIn =
  (ask: Ask, Bucket: string): Storage['readStart'] =>
  (Key, bytes) =>
    ask(async ({ GetObjectCommand, client }, limit) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=0-${bytes - 1}` }), limit);
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    });

const objectsIn = (ask: Ask, Bucket: string): Pick<Storage, 'open' | 'write'> => ({
  open: (Key, milliseconds) =>
    ask(async ({ GetObjectCommand, client }, limit) => {
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }), limit);
      return { bytes: ContentLength ?? 0, stream: Body as Readable };
    }, milliseconds),
  write: async (Key, { contentType, bytes }) => {
    const object = { Bucket, Key, Body: bytes, ContentType: contentType };
    await ask(({ PutObjectCommand, client }, limit) => client.send(new PutObjectCommand(object), limit));
  },
});

/** The owner object. `IfNoneMatch` fails if another process wrote it first. */
function ownerIn(ask: Ask, Bucket: string): Pick<Storage, 'readOwner' | 'writeOwner'> {
  const read = async ({ GetObjectCommand, client }: Sdk, limit: { abortSignal: AbortSignal }) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: ownerKey }), limit);
    return (await Body?.transformToString()) ?? '';
  };
  return {
    // The SDK repeats a request, but not the reading of an answer that broke off.
    readOwner: () => ask((sdk, limit) => read(sdk, limit).catch(() => read(sdk, limit))),
    writeOwner: async (Body, { replace }) => {
      await ask(({ PutObjectCommand, client }, limit) =>
        client
          .send(new PutObjectCommand({ Bucket, Key: ownerKey, Body, ...(replace ? {} : { IfNoneMatch: '*' }) }), limit)
          .catch(unlessThere),
      );
    },
  };
}

function unlessThere(error: unknown): void {
  if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 412) throw error;
}
