import { useEffect, useState } from 'react';

/** Milliseconds that the first paint has for itself. */
const firstPaint = 1_500;
const painted = new Promise<void>((resolve) => setTimeout(resolve, firstPaint));

/** Whether a part is put on the page that the first paint does not need: some time after it, or once it is wanted. */
export function useLater(wanted = false): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => void painted.then(() => setLater(true)), []);
  return later || wanted;
}
