import type { ReactNode } from 'react';
import { rejectionWords } from './words.ts';

type Props = { code: string; message: ReactNode; lead?: string };

export const Rejection = ({ code, message, lead = 'The studio rejected this job.' }: Props) => (
  <div className="note bad">
    <strong>{lead}</strong> {code !== 'other' && `${rejectionWords[code] ?? code}.`} {message}
  </div>
);
