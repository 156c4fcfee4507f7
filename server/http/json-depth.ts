const [quote, escape, openList, openObject, closeList, closeObject] = Buffer.from('"\\[{]}');

/**
 * Whether objects and lists stand in each other deeper than this. Counted on the bytes, before anything is parsed: JSON.parse
 * takes a second of processor time for a megabyte of brackets. Stops at the first that is too deep.
 */
export function isDeeperThan(limit: number, json: Uint8Array): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (inText) {
      if (sign === escape) at++;
      else if (sign === quote) inText = false;
    } else if (sign === quote) inText = true;
    else if (sign === openList || sign === openObject) {
      if (++depth > limit) return true;
    } else if (sign === closeList || sign === closeObject) depth--;
  }
  return false;
}
