import { useMemo, useState } from 'react';
import { type DecodedText, type Encoding, encodings, linesOf } from '../../../contract/files/decode-text.ts';
import { useText } from '../preview/previewed.ts';
import { sayLimits, shownLines } from '../preview/text-words.ts';
import type { ViewFile } from './view-file.ts';

/** Encodings that a person chose, kept while the page is open. */
const choices = new Map<string, Encoding>();

/** The lines of a text, in its own encoding or in the one that a person chose. */
export function useDecoded(file: ViewFile) {
  const { data, error, refetch } = useText(file.id, file.url);
  const [chosen, setChosen] = useState(choices.get(file.id));
  const detected = useMemo(() => data?.decode(), [data]);
  const decoded = useMemo(() => (chosen ? data?.decode(chosen) : detected), [data, chosen, detected]);
  const lines = useMemo(() => decoded && shownLines(decoded.text), [decoded]);
  const written = useMemo(() => decoded && linesOf(decoded.text), [decoded]);
  const choose = (encoding: Encoding | undefined) => {
    if (encoding) choices.set(file.id, encoding);
    else choices.delete(file.id);
    setChosen(encoding);
  };
  return {
    lines,
    /** Those of the file, which are not cut where they are long. */
    written,
    detail: lines && decoded && sayDetail(lines, decoded),
    limits: decoded && data ? sayLimits(decoded, data.isWhole) : [],
    isWhole: data?.isWhole,
    encoding: { detected: detected?.encoding, chosen, choose },
    error,
    retry: () => void refetch(),
  };
}

const sayDetail = ({ length }: string[], { encoding }: DecodedText): string =>
  `${length.toLocaleString()} ${length === 1 ? 'line' : 'lines'} · ${encodings[encoding]}`;
