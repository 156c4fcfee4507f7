/** How bytes begin: each a byte, or null for any byte. */
export type BytePattern = (number | null)[];

/** Reads `52 49 ?? 46`. */
export const readPattern = (line: string): BytePattern =>
  line.split(' ').map((byte) => (byte === '??' ? null : Number.parseInt(byte, 16)));

export const beginsAs = (bytes: Uint8Array, pattern: BytePattern): boolean =>
  pattern.every((byte, at) => byte === null || byte === bytes[at]);
