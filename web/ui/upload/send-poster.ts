type Send<Stored> = (jpeg: string, idempotencyKey: string) => Promise<{ file: Stored }>;

/** Sends a frame of an uploaded video as its poster. A video without one is uploaded all the same. */
export async function withPoster<Stored extends { content_type: string }>(
  stored: Stored,
  { file, idempotencyKey, send }: { file: File; idempotencyKey: string; send: Send<Stored> },
): Promise<Stored> {
  if (!stored.content_type.startsWith('video/')) return stored;
  const { frameOf } = await import('./video-frame.ts');
  const jpeg = await frameOf(file);
  if (jpeg === null) return stored;
  return send(jpeg, `${idempotencyKey}-poster`).then(
    (answer) => answer.file,
    () => stored,
  );
}
