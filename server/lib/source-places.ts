import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/** A map has megabytes and logged errors are few: it is read for the first, and may go if memory is short. */
const maps = new Map<string, WeakRef<SourceMap>>();

function mapOf(file: string): SourceMap | null {
  const read = maps.get(file)?.deref();
  if (read) return read;
  if (dirname(file) !== import.meta.dirname) return null;
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as never);
    maps.set(file, new WeakRef(map));
    return map;
  } catch {
    return null; // an error is logged as it is rather than not at all
  }
}

/**
 * A stack of the bundle with the files and lines of its sources. Node's own `--enable-source-maps` would read
 * all maps at the start, which takes a second and 30 MB.
 */
export const atSources = (stack: string): string =>
  stack.replaceAll(
    /(?:file:\/\/)?(\/[^\s():]{1,1000}\.js):(\d{1,9}):(\d{1,9})/g,
    (place, file: string, line, column) => {
      const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry)) return place;
      const { originalSource, originalLine, originalColumn } = entry;
      return `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
    },
  );
