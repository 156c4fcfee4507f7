import { useEffect, useState } from 'react';

/** Milliseconds until something takes long. */
const long = 1_000;

/** Whether something has been going on for a second. */
export function useLong(isGoingOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsLong(true), long);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isGoingOn]);
  return isLong;
}
