import type { Asked } from './talk.ts';

export type Proposal = {
  answers: { label: string; answer: string }[];
  service_type: string | null;
  phrase: { asks: Asked; words: string } | null;
};
