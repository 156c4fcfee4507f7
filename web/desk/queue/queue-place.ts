import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { deskPages } from '../../../contract/pages.ts';

const key = 'atelier-queue-place';

/** Where the operator is in the queue, tab and row and all, so that they come back to it from a job. */
export function useRememberedQueue(): void {
  const { pathname, searchStr } = useLocation();
  useEffect(() => {
    // On the way to another page the address is that page's already.
    if (pathname === deskPages.queue) sessionStorage.setItem(key, searchStr);
  }, [pathname, searchStr]);
}

/** The queue as this window left it. */
export const queuePlace = () => deskPages.queue + (sessionStorage.getItem(key) ?? '');

export function useBackToQueue(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: queuePlace() });
}
