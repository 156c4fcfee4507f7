/** Bounds of what is published. The desk uses them without the schema library. */
export const catalogVersionBounds = {
  note: 500,
  documents: 500,
  file: 220,
  text: 400_000,
  lines: 20_000,
  shownLines: 10_000,
  base64: 720_000,
};

/** The bytes of one request that checks or publishes documents. */
export const largestCatalog = 8_000_000;
