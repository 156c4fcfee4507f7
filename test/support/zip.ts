import { crc32 } from 'node:zlib';

export type Unzipped = { name: string; bytes: Buffer; utf8: boolean };

/** Reads a zip of stored entries by the list at its end. Throws if anything of it does not fit. */
export function unzip(zip: Buffer): Unzipped[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (zip.readUInt32LE(at) !== 0x02014b50 || zip.readUInt16LE(at + 10) !== 0) throw new Error('No stored entry.');
    const [crc, size, length] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)];
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    const utf8 = (zip.readUInt16LE(at + 8) & 0x800) !== 0;
    const head = zip.readUInt32LE(at + 42);
    const from = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const bytes = zip.subarray(from, from + size);
    if (crc32(bytes) !== crc) throw new Error(`${name} has another checksum.`);
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    return { name, bytes, utf8 };
  });
}
