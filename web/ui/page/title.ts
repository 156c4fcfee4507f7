import { useEffect } from 'react';

let title = '';
let waiting = '';
const show = () => {
  document.title = waiting ? `(${waiting}) ${title}` : title;
};

export function setTitle(next: string): void {
  title = next;
  show();
}

/** What waits for the reader, before the title in the browser's tab. Zeros and empty words are left out. */
export function useWaitingInTitle(...counts: (number | string)[]): void {
  const words = counts.filter(Boolean).join(' · ');
  useEffect(() => {
    waiting = words;
    show();
  }, [words]);
}
