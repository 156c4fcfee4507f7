import type { NextDate } from '../../contract/jobs/job.ts';

/** What a calendar has of a job. Its title only if the person wants titles. */
export type Dated = {
  id: string;
  title: string | null;
  next: NextDate & { falls_at: string };
  /** Grows with every change of the job. */
  sequence: number;
  changedAt: string;
  url: string;
};

type Calendar = { account: string; host: string; dates: readonly Dated[] };

/** RFC 5545. The same dates give the same text, so that a reader who has it is told so. */
export const writeCalendar = ({ account, host, dates }: Calendar): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atelier//Next dates//EN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escape(account)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...dates.flatMap((date) => writeEvent(date, account, host)),
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('');

const writeEvent = ({ id, title, next, sequence, changedAt, url }: Dated, account: string, host: string): string[] => [
  'BEGIN:VEVENT',
  `UID:${id}-${next.kind}@${host}`,
  `DTSTAMP:${inUtc(changedAt)}`,
  `LAST-MODIFIED:${inUtc(changedAt)}`,
  `SEQUENCE:${sequence}`,
  `DTSTART:${inUtc(next.falls_at)}`,
  `SUMMARY:${escape(title === null ? `Job for ${account}: ${say(next)}` : `${title}: ${say(next)}`)}`,
  `URL:${url}`,
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
];

function say({ kind, round }: NextDate): string {
  switch (kind) {
    case 'first_delivery':
      return 'First delivery due';
    case 'round':
      return `Round ${round} due`;
    case 'review':
      return 'Review ends';
    case 'question':
      return 'The studio waits for an answer';
    case 'wish':
    case 'none':
      return 'Wished for';
  }
}

/** "20261203T140000Z" */
const inUtc = (at: string): string => at.replace(/\.\d+/, '').replace(/[-:]/g, '');

/** TEXT (3.3.11). Lines of any kind end as \n, and other control characters are left out. */
const escape = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '')
    .toWellFormed();

/** Lines of at most 75 octets (3.1), cut between characters. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
