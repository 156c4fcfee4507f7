import type { Family } from '../catalog/catalog.ts';
import { labelNamed } from '../requirements/labels.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';
import { answersIn, isNoted, newState, type Question, type State, withNote, withoutNote } from './state.ts';

/** The new state, and a reply that precedes the next question or the brief. */
export type Effect = { state: State; reply: string };

type Command = {
  /** Separated by "|", in lower case, without "please" and surrounding marks. */
  says: string;
  /** Same, before the name of a requirement: "remove the audience". */
  before?: string;
  /** `named`: the label of a requirement in the message. */
  run: (family: Family, state: State, question: Question, named: string | null) => Effect;
};

const labelOf = (question: Question): string | null => (question && question !== 'option' ? question.label : null);

/** The next question comes with its full explanation. */
const explain = (state: State): Effect => ({ state: { ...state, tries: 2 }, reply: '' });

/** First explains; then leaves the requirement open if the catalog allows that. */
const explainOrLeave: Command['run'] = (family, state, question, named) =>
  state.tries < 2 && (question === 'option' || !question?.optional)
    ? explain(state)
    : leaveOpen(family, state, question, named);

/** Leaves a requirement open. The option, once its choices were shown, is asked again at the end. */
export const leaveOpen: Command['run'] = (_, state, question, named) => {
  const label = named ?? labelOf(question);
  if (label) return { state: withNote(state, { requirement: label, left: 'open' }), reply: `${label} stays open.` };
  if (question === null || state.option_postponed || state.tries < 2) return explain(state);
  return { state: { ...state, option_postponed: true }, reply: 'I’ll ask again later.' };
};

const leaveToStudio: Command['run'] = ({ options: [first] }, state, question, named) => {
  const label = named ?? labelOf(question);
  if (label)
    return { state: withNote(state, { requirement: label, left: 'studio' }), reply: `The studio decides on ${label}.` };
  if (question === null || !first) return { state, reply: 'The brief is complete. Tell me what to change.' };
  return {
    state: { ...state, service_type: first.id, option_left_to_studio: true },
    reply: `The studio decides. I note ${first.name} for now, and the brief says that the studio may choose another option.`,
  };
};

/** Removes the named requirement, or else the latest guesses, or else the newest note. */
const takeOut: Command['run'] = ({ intake_requirements: [first] }, state, _, named) => {
  const newest = state.notes.slice(-1).map(({ requirement }) => requirement);
  const labels = named ? [named] : state.guessed.length > 0 ? state.guessed : newest;
  const removed = labels.filter((label) => isNoted(state, label));
  const nothing = `There is nothing to remove. To change an answer, write its name and the new answer, such as “${first!.label}: …”.`;
  return {
    state: removed.reduce(withoutNote, state),
    reply: removed.length > 0 ? `I removed: ${removed.join(', ')}.` : nothing,
  };
};

/** Says what is noted so far. A complete brief is read back instead. */
const summarise: Command['run'] = (family, state, question) => {
  const answers = answersIn(family, state).map(({ requirement, answer }) => `${requirement}: ${answer}`);
  const left = state.notes.flatMap((note) => ('left' in note ? note.requirement : []));
  const items = [...answers, ...(left.length > 0 ? [`Left open: ${left.join(', ')}`] : [])];
  const soFar = items.length === 0 ? 'I have no answers yet.' : `So far I have:\n${items.join('\n')}`;
  return { state, reply: question === null ? '' : soFar };
};

const help =
  'I collect what the studio needs to know, one thing at a time. Answer in your own words, or give several answers as ' +
  '“name: answer”, one per line; “service: …” changes the order. You can also say “skip”, “you decide”, “go back”, “remove …”, “summary” or ' +
  '“start over”, and ask about price, time and changes.';

const howToConfirm =
  'Nothing is ordered until you confirm the brief, with the button or with POST /api/v1/intake/sessions/{id}/confirm.';

/** Everything that controls the conversation. Any other message is about the work. */
export const commands = {
  skip: {
    says: 'skip|skip it|skip this|skip this one|pass|leave it open|leave open|later',
    before: 'skip|leave out|leave open',
    run: leaveOpen,
  },
  skipRest: {
    says: "skip the rest|skip all|skip everything|no more questions|that is all|that's all",
    run: ({ intake_requirements }, state) => ({
      state: intake_requirements
        .filter(({ label }) => !isNoted(state, label))
        .reduce((rest, { label }) => withNote(rest, { requirement: label, left: 'open' }), state),
      reply: 'The rest stays open.',
    }),
  },
  unknown: {
    says: "i do not know|i don't know|i dont know|don't know|dont know|do not know|idk|no idea|i have no idea|not sure|i'm not sure|i am not sure|unsure|hard to say|i can't say|explain|example|an example|for example|i don't understand|i do not understand|why do you ask",
    run: explainOrLeave,
  },
  decide: {
    says: "you decide|you choose|the studio decides|let the studio decide|your choice|up to you|it's up to you|whatever you think|whatever|surprise me|no preference|i don't care|i do not care|i don't mind|you tell me|as you like|whatever you prefer",
    before: 'you decide|the studio decides',
    run: leaveToStudio,
  },
  back: {
    says: "back|go back|undo|undo that|wrong|that's wrong|that is wrong|not right|no, wrong",
    before: 'remove|delete|clear|change|forget|undo|go back to',
    run: takeOut,
  },
  restart: {
    says: 'start over|start again|restart|begin again|start from scratch|new brief',
    run: (family, state) => ({
      state: { ...newState(family, null), version: state.version },
      reply: 'Let’s start again. I have cleared my notes.',
    }),
  },
  summary: {
    says: 'summary|show the brief|show me the brief|show brief|status|what do you have so far|so far',
    run: summarise,
  },
  help: {
    says: 'help|help me|commands|what can i say|what can i do|how does this work|?',
    run: (_, state) => ({ state, reply: help }),
  },
  confirm: {
    says: 'confirm|order it|go ahead|place the order|lgtm|looks good',
    run: (_, state, question) => ({ state, reply: question ? 'Not yet: the brief is not complete.' : howToConfirm }),
  },
  greet: {
    says: 'hello|hi|hey|hi there|hello there|good morning|thanks|thank you|thx|ok|okay|yes|yep|yeah|sure',
    run: (_, state, question) => ({ state, reply: question ? '' : howToConfirm }),
  },
  leave: {
    says: 'cancel|quit|bye|goodbye|never mind|forget it|not interested',
    run: (_, state) => ({
      state,
      reply: 'Nothing is ordered. You can leave at any time, or close the conversation if you no longer need it.',
    }),
  },
} satisfies Record<string, Command>;
export type CommandName = keyof typeof commands;

const table = Object.entries(commands) as [CommandName, Command][];
const named = new Map(table.flatMap(([name, { says }]) => says.split('|').map((phrase) => [phrase, name] as const)));

const plain = (text: string): string =>
  (text.trim() === '?' ? text : strip(text))
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/gu, ' ')
    .replace(/^(?:please |ok |okay |well |sorry |no, (?=skip|pass|idea)){1,2}/u, '')
    .replace(/,? (?:please|then|thanks|now|yet)$/u, '');

/** Matches "Not sure what you mean", "what does that mean?" and similar. */
const asksWhatIsMeant = /^.{0,30}\bwhat (?:do |does |did |is )?(?:you|that|this|it) ?(?:mean|meant)\b.{0,9}$/u;

export function commandIn(
  family: Family,
  state: State,
  question: Question,
  text: string,
): { name: CommandName; label: string | null } | null {
  if (text.length > 100) return null;
  const said = plain(text);
  const name = named.get(said);
  if (name) return { name, label: null };
  for (const [command, { before = '' }] of table)
    for (const verb of before.split('|')) {
      const label = said.startsWith(`${verb} `) ? labelNamed(family, said.slice(verb.length + 1)) : null;
      if (label) return { name: command, label };
    }
  // After a guess ("… Right?"), "no" rejects the guess, not the next question.
  if (said === 'no' && state.guessed.length > 0) return { name: 'back', label: null };
  if (said === 'no' && (question === 'option' || !question?.optional)) return { name: 'unknown', label: null };
  return isAnswer(strip(text)) && !asksWhatIsMeant.test(said) ? null : { name: 'unknown', label: null };
}

export function suggestedReplies(
  family: Family,
  { notes }: State,
  question: Question,
): { label: string; message: string }[] {
  const changes = notes.map(({ requirement }) => ({
    label: `Change: ${requirement}`,
    message: `Remove ${requirement}`,
  }));
  const offer = (...replies: string[]) => replies.map((reply) => ({ label: reply, message: reply }));
  if (question === null) return [{ label: 'Show the brief', message: 'Summary' }, ...changes, ...offer('Start over')];
  const waysOut = offer('I do not know', 'The studio decides');
  if (question === 'option') return [...offer(...family.options.map(({ name }) => name)), ...waysOut];
  return [...waysOut, ...offer('Skip'), ...changes.slice(-1), ...offer('Summary')];
}
