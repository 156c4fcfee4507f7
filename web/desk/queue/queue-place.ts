import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';

const key = 'atelier-queue-place';

/** Remembers tab and row, for coming back from a job. */
export function useRememberedQueue(): void {
  const { pathname, searchStr } = useLocation();
  useEffect(() => {
    // During navigation the address already belongs to the next page.
    if (pathname === deskPages.queue) sessionStorage.setItem(key, searchStr);
  }, [pathname, searchStr]);
}

export const queuePlace = () => deskPages.queue + (sessionStorage.getItem(key) ?? '');

export function useBackToQueue(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: queuePlace() });
}
