import { useEffect, useState } from 'react';

/** Milliseconds reserved for the first paint. */
const firstPaint = 1_500;
const painted = new Promise<void>((resolve) => setTimeout(resolve, firstPaint));

/** True some time after the first paint, or once the part is needed. */
export function useLater(isNeeded = false): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => void painted.then(() => setLater(true)), []);
  return later || isNeeded;
}
