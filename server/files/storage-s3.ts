import type { S3Client } from '@aws-sdk/client-s3';
import { isKey, type Storage, storageDown, type Stored } from './storage.ts';

export type S3Place = { bucket: string; endpoint: string | null; region: string };

/** Milliseconds. A storage that does not answer must not hold callers: they get a 503 within five seconds. */
const connectWithin = 1_000;
const answerWithin = 4_000;

/** 27 packages, loaded only where this storage is used. Credentials come from the usual AWS variables. */
async function load({ endpoint, region }: S3Place) {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Otherwise a presigned URL carries the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectWithin },
  });
  return { ...sdk, getSignedUrl, client };
}

const missing = (error: unknown) =>
  error instanceof Error && (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

/** A bucket that speaks S3. Uploads and downloads go straight to it; the service only signs, copies and deletes. */
export function openS3Storage(place: S3Place): Storage {
  let loading: ReturnType<typeof load> | undefined;
  const open = () => (loading ??= load(place));
  const { bucket: Bucket } = place;

  /** Null when there is no such object; a bucket that is missing counts as a storage that is down. */
  async function ask<Answer>(run: (client: S3Client, limit: { abortSignal: AbortSignal }) => Promise<Answer>) {
    try {
      const { client } = await open();
      return await run(client, { abortSignal: AbortSignal.timeout(answerWithin) });
    } catch (error) {
      if (missing(error) && (error as Error).name !== 'NoSuchBucket') return null;
      throw storageDown(error);
    }
  }

  return {
    uploadUrl: async (Key, { contentType, bytes, from, seconds }) => {
      const { PutObjectCommand, getSignedUrl, client } = await open();
      const command = new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: bytes });
      // No parameter of the command sets this header, and it must be signed as all others.
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
    },
    downloadUrl: async (Key, { contentType, disposition, from, seconds }) => {
      const { GetObjectCommand, getSignedUrl, client } = await open();
      const command = new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, no-store',
      });
      return getSignedUrl(client, command, { signingDate: from, expiresIn: seconds });
    },
    pin: async (upload, Key) => {
      const { CopyObjectCommand, HeadObjectCommand } = await open();
      return ask(async (client, limit): Promise<Stored> => {
        await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${upload}` }), limit);
        const head = await client.send(new HeadObjectCommand({ Bucket, Key }), limit);
        return { etag: head.ETag ?? '', bytes: head.ContentLength ?? 0, contentType: head.ContentType ?? '' };
      });
    },
    remove: async (Key) => {
      const { DeleteObjectCommand } = await open();
      await ask((client, limit) => client.send(new DeleteObjectCommand({ Bucket, Key }), limit));
    },
    keysBefore: async function* (time) {
      const { ListObjectsV2Command } = await open();
      for (let ContinuationToken: string | undefined; ;) {
        const page = await ask((client, limit) =>
          client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }), limit),
        );
        for (const { Key, LastModified } of page?.Contents ?? [])
          if (Key && isKey(Key) && LastModified && LastModified < time) yield Key;
        ContinuationToken = page?.NextContinuationToken;
        if (!ContinuationToken) return;
      }
    },
  };
}
