import type { SmallTalk } from './assent.ts';
import type { Request, TakenBack } from './requests.ts';
import type { Topic } from './service-question.ts';

/** An answer that was heard. `adds`: to what was answered before; `guessed`: a pattern found it, no name told. */
export type HeardAnswer = { label: string; answer: string; adds?: boolean; guessed?: boolean };

/** What a message says, before it changes anything. */
export type Heard = {
  option: string | null;
  answers: HeardAnswer[];
  /** Found inside of sentences that are about something else. */
  overheard: HeardAnswer[];
  deadline: string | null;
  /** What was asked cannot be answered. */
  skipped: boolean;
  leftOpen: string[];
  /** What is to be asked for again. */
  takenBack: TakenBack[];
  requests: Request[];
  topics: Topic[];
  /** The option that a question names. */
  askedOption: string | null;
  /** A question that the catalog does not answer. */
  unknownQuestion: boolean;
  smallTalk: SmallTalk | null;
  /** What nothing above accounts for: the answer to what was asked, if something was. */
  rest: string[];
  /** The rest are points of a list of which it is not clear what each answers. */
  unsorted: boolean;
  /** Whether there is anything in it for the studio. */
  matters: boolean;
};

export const nothingHeard = (): Heard => ({
  option: null,
  answers: [],
  overheard: [],
  deadline: null,
  skipped: false,
  leftOpen: [],
  takenBack: [],
  requests: [],
  topics: [],
  askedOption: null,
  unknownQuestion: false,
  smallTalk: null,
  rest: [],
  unsorted: false,
  matters: false,
});
