import { create } from 'content-disposition';
import { fileTypes, isShown, notInNames } from '../../contract/files/file-types.ts';
import type { Catalog } from '../catalog/catalog.ts';

const common = [...Object.values(fileTypes), 'jpeg', 'markdown'];
const mostBytes = 200;

const segmenter = new Intl.Segmenter();

/** Cuts between what people see as characters, to at most this many bytes of UTF-8. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  return cutBetween(graphemes, bytes) || cutBetween([...text], bytes);
}

function cutBetween(parts: string[], bytes: number): string {
  let left = bytes;
  const over = parts.findIndex((part) => (left -= Buffer.byteLength(part)) < 0);
  return parts.slice(0, over).join('');
}

/** The extensions that a file of this type may keep. A name without one of them gets the first. */
const extensionsFor = (type: string, others: Catalog['fileTypes']): string[] =>
  isShown(type) ? [fileTypes[type], ...common] : (others.get(type)?.extensions ?? ['bin']);

const unsafe = new RegExp(`[${notInNames}]`, 'gu');

/** No path or control characters; an accepted extension as it was: `setup.exe` becomes `setup.exe.txt`. */
export function downloadName(fileName: string, contentType: string, others: Catalog['fileTypes']): string {
  const extensions = extensionsFor(contentType, others);
  const plain = fileName
    .replace(unsafe, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  const dot = plain.lastIndexOf('.');
  const extension = plain.slice(dot + 1);
  const named = dot > 0 && extensions.includes(extension.toLowerCase());
  const stem = cut(named ? plain.slice(0, dot) : plain, mostBytes) || 'file';
  return `${stem}.${named ? extension : extensions[0]}`;
}

/** Always an attachment, with an ASCII fallback for other names. */
export function disposition(fileName: string, contentType: string, others: Catalog['fileTypes']): string {
  const name = downloadName(fileName, contentType, others);
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
  return create(name, { fallback: ascii.startsWith('.') ? `file${ascii}` : ascii });
}
