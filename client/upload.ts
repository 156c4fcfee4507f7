import { AtelierError, throwUnreachable } from './error.ts';

export type Progress = (sent: number, total: number) => void;

type Contract = { url: string; headers: Record<string, string> };
type Put = (upload: Contract, bytes: Blob, progress: Progress, signal?: AbortSignal) => Promise<number>;

/** Only XMLHttpRequest reports upload progress in browsers. */
const putFromBrowser: Put = (upload, bytes, progress, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', upload.url);
    for (const [name, value] of Object.entries(upload.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => progress(loaded, bytes.size);
    request.onload = () => resolve(request.status);
    request.onerror = () => reject(new AtelierError(0, { message: 'The upload broke off.' }));
    request.onabort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', () => request.abort());
    request.send(bytes);
  });

/** Node's fetch would stream without a length, which the storage requires. */
const putFromNode: Put = async (upload, bytes, progress, signal) => {
  const url = new URL(upload.url);
  // Not imported, so that browser bundles contain nothing of Node.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const headers = { ...upload.headers, 'content-length': String(bytes.size) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'PUT', headers, ...(signal ? { signal } : {}) }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', (error) => reject(new AtelierError(0, {}, error)));
    send(bytes, sent, progress).catch((error: unknown) => {
      reject(error);
      sent.destroy();
    });
  });
};

type Sink = { write(chunk: Uint8Array): boolean; once(event: 'drain' | 'close', then: () => void): unknown; end(): unknown; destroyed: boolean };

/** Waits for a slow socket, so that memory use stays constant. */
async function send(bytes: Blob, to: Sink, progress: Progress): Promise<void> {
  let sent = 0;
  const closed = new Promise<void>((resolve) => to.once('close', resolve));
  const reader = bytes.stream().getReader();
  for (let part = await reader.read(); !part.done && !to.destroyed; part = await reader.read()) {
    const room = to.write(part.value);
    sent += part.value.byteLength;
    if (!room) await Promise.race([new Promise<void>((resolve) => to.once('drain', resolve)), closed]);
    progress(sent, bytes.size);
  }
  to.end();
}

/** In Workers, which know the length of a Blob. */
const putFromWorker: Put = async (upload, bytes, progress, signal) => {
  const request = new Request(upload.url, { method: 'PUT', headers: upload.headers, body: bytes, ...(signal ? { signal } : {}) });
  const answer = await fetch(request).catch(throwUnreachable);
  await answer.body?.cancel();
  progress(bytes.size, bytes.size);
  return answer.status;
};

const isNode = typeof globalThis.process?.getBuiltinModule === 'function';
const putFromServer = isNode ? putFromNode : putFromWorker;

/** Sends exactly the headers of the upload contract. The status, or `unreachable` without an answer. */
export const put: Put = typeof XMLHttpRequest === 'undefined' ? putFromServer : putFromBrowser;

const types: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  psd: 'image/vnd.adobe.photoshop',
  psb: 'image/vnd.adobe.photoshop',
  ai: 'application/illustrator',
  eps: 'application/postscript',
  ps: 'application/postscript',
  tiff: 'image/tiff',
  tif: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  ttf: 'font/ttf',
  otf: 'font/otf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
};

/** By the file extension: what browsers say depends on installed programs. */
export const typeOf = (name: string, said = ''): string =>
  types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? (said || 'application/octet-stream');

/**
 * Shows `_` for what no name may hold: ends of lines, controls, and what turns the direction of writing; and
 * for tag characters outside the flag of a region.
 */
export const labelOf = (name: string): string =>
  name.replace(refused, (sign) => (sign.startsWith('\u{1f3f4}') ? sign : '_')) || 'file';
const refused =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** A path, read while it is sent; or a Blob, such as a browser's File. */
export async function open(file: string | Blob): Promise<{ bytes: Blob; name: string }> {
  if (typeof file !== 'string') return { bytes: file, name: 'name' in file ? labelOf(String(file.name)) : 'file' };
  if (!isNode) throw new TypeError('Only Node reads a path. Pass a Blob.');
  const { openAsBlob } = process.getBuiltinModule('node:fs');
  let bytes: Blob;
  try {
    bytes = await openAsBlob(file);
  } catch (cause) {
    throw new Error(`The file ${file} cannot be read.`, { cause });
  }
  return { bytes, name: labelOf(file.split(/[\\/]/).at(-1) ?? file) };
}
