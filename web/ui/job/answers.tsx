import { Box } from '@mantine/core';
import type { ElementType } from 'react';

type Props = {
  answers: [question: string, answer: string][];
  /** Questions without an answer, and what is said of them. */
  open?: string[];
  left?: string;
  /** How an answer is shown: a `dd`. */
  as?: ElementType;
};

/** Answers by question, in as many columns as fit. */
export function Answers({ answers, open = [], left = 'left to the studio', as: Answer = 'dd' }: Props) {
  if (answers.length + open.length === 0) return null;
  return (
    <Box
      component="dl"
      className="answers tiles"
      style={{ '--tile': '240px', '--repeat': 'auto-fit', gap: '12px 24px' }}
    >
      {answers.map(([question, answer]) => (
        <div key={question}>
          <dt>{question}</dt>
          <Answer dir="auto">{answer}</Answer>
        </div>
      ))}
      {open.map((question) => (
        <div key={question}>
          <dt>{question}</dt>
          <dd className="third">{left}</dd>
        </div>
      ))}
    </Box>
  );
}
