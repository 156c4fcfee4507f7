import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';

const key = 'atelier-queue-place';

export const rememberQueue = (search: string) => sessionStorage.setItem(key, search);

/** Remembers tab and row, for coming back from a job. */
export function useRememberedQueue(): void {
  const { pathname, searchStr } = useLocation();
  useEffect(() => {
    // During navigation the address already belongs to the next page.
    if (pathname === deskPages.queue) rememberQueue(searchStr);
  }, [pathname, searchStr]);
}

export const queuePlace = () => deskPages.queue + (sessionStorage.getItem(key) ?? '');

export function useBackToQueue(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: queuePlace() });
}
