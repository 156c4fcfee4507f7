type Atom = { type: string; from: number; size: number; body: DataView };

/** The atoms of MP4 and QuickTime that lie whole in these bytes. Their views never read beyond them. */
export function* atomsOf(view: DataView): Generator<Atom> {
  for (let from = 0; from + 8 <= view.byteLength;) {
    const { type, size, header } = atomAt(view, from);
    if (size < header || from + size > view.byteLength) return;
    const body = new DataView(view.buffer, view.byteOffset + from + header, size - header);
    yield { type, from, size, body };
    from += size;
  }
}

/** Reads the header of an atom. A size of 0 means that it goes to the end. */
export function atomAt(view: DataView, from: number): { type: string; size: number; header: 8 | 16 } {
  const [size, type] = [view.getUint32(from), textAt(view, from + 4)];
  if (size === 1) return { type, size: Number(view.getBigUint64(from + 8)), header: 16 };
  return { type, size: size === 0 ? view.byteLength - from : size, header: 8 };
}

export const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((by) => view.getUint8(at + by)));

export function inside(outer: DataView, ...path: string[]): DataView | undefined {
  let view: DataView | undefined = outer;
  for (const name of path) view = view && atomsOf(view).find(({ type }) => type === name)?.body;
  return view;
}
