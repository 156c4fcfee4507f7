import type { Family } from '../catalog/catalog.ts';
import { labelNamed } from '../requirements/labels.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';
import { answersIn, isNoted, newState, type Question, type State, withNote, withoutNote } from './state.ts';

/** What a message does: the state after it, and what the concierge says to it before it asks or reads back. */
export type Effect = { state: State; say: string };

type Command = {
  /** Messages that call it, with "|" between them, in lower case and without "please" and the marks around them. */
  says: string;
  /** The same in front of the name of a requirement: "remove the audience". */
  before?: string;
  /** `named`: the label of a requirement. */
  run: (family: Family, state: State, asked: Question, named: string | null) => Effect;
};

const labelOf = (asked: Question): string | null => (asked && asked !== 'option' ? asked.label : null);

/** The question is put with all there is to say to it. */
const explain = (state: State): Effect => ({ state: { ...state, tries: 2 }, say: '' });

/** Who cannot answer is told more once; after that, and where the catalog allows it, the requirement stays open. */
const explainOrLeave: Command['run'] = (family, state, asked, named) =>
  state.tries < 2 && (asked === 'option' || !asked?.optional) ? explain(state) : leaveOpen(family, state, asked, named);

/** Goes on from a requirement, or, once the choices were shown, from the option, which is asked for at the end. */
export const leaveOpen: Command['run'] = (_, state, asked, named) => {
  const label = named ?? labelOf(asked);
  if (label) return { state: withNote(state, { requirement: label, left: 'open' }), say: `${label} stays open.` };
  if (asked === null || state.option_postponed || state.tries < 2) return explain(state);
  return { state: { ...state, option_postponed: true }, say: 'We come back to that.' };
};

const leaveToStudio: Command['run'] = ({ options: [first] }, state, asked, named) => {
  const label = named ?? labelOf(asked);
  if (label)
    return { state: withNote(state, { requirement: label, left: 'studio' }), say: `${label} is left to the studio.` };
  if (asked === null || !first) return { state, say: 'The brief is complete; say what to change.' };
  return {
    state: { ...state, service_type: first.id, option_left_to_studio: true },
    say: `The studio decides. It is ordered as ${first.name}, and the brief says that the studio may choose another option.`,
  };
};

/** What is named, else what was guessed last, else the newest note. */
const takeOut: Command['run'] = ({ intake_requirements: [first] }, state, _, named) => {
  const newest = state.notes.slice(-1).map(({ requirement }) => requirement);
  const labels = named ? [named] : state.guessed.length > 0 ? state.guessed : newest;
  const known = labels.filter((label) => isNoted(state, label));
  const nothing = `There is nothing to take out. To change an answer, write its name and the new one, such as “${first!.label}: …”.`;
  return {
    state: known.reduce(withoutNote, state),
    say: known.length > 0 ? `I took out: ${known.join(', ')}.` : nothing,
  };
};

/** What was noted so far; once there is a brief, that is read back. */
const summarise: Command['run'] = (family, state, asked) => {
  const answers = answersIn(family, state).map(({ requirement, answer }) => `${requirement}: ${answer}`);
  const left = state.notes.flatMap((note) => ('left' in note ? note.requirement : []));
  const lines = [...answers, ...(left.length > 0 ? [`Left open: ${left.join(', ')}`] : [])];
  const soFar = lines.length === 0 ? 'I have noted no answer yet.' : `So far I have:\n${lines.join('\n')}`;
  return { state, say: asked === null ? '' : soFar };
};

const help =
  'I gather what the studio has to know, one thing at a time. Answer in your own words, or several at once as ' +
  '“name: answer”, one to a line; “service: …” changes what is ordered. You can also say “skip”, “you decide”, “go back”, “remove …”, “summary” or ' +
  '“start over”, and ask about price, time and changes.';

const howToConfirm =
  'Nothing is ordered until you confirm the brief: with the button, or POST /api/v1/intake/sessions/{id}/confirm.';

/** All that can be said to the concierge itself. Whatever is none of these is about the work. */
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
      say: 'The rest stays open.',
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
      say: 'We start again, and what I had noted is cleared.',
    }),
  },
  summary: {
    says: 'summary|show the brief|show me the brief|show brief|status|what do you have so far|so far',
    run: summarise,
  },
  help: {
    says: 'help|help me|commands|what can i say|what can i do|how does this work|?',
    run: (_, state) => ({ state, say: help }),
  },
  confirm: {
    says: 'confirm|order it|go ahead|place the order|lgtm|looks good',
    run: (_, state, asked) => ({ state, say: asked ? 'Not yet: the brief is not complete.' : howToConfirm }),
  },
  greet: {
    says: 'hello|hi|hey|hi there|hello there|good morning|thanks|thank you|thx|ok|okay|yes|yep|yeah|sure',
    run: (_, state, asked) => ({ state, say: asked ? '' : howToConfirm }),
  },
  leave: {
    says: 'cancel|quit|bye|goodbye|never mind|forget it|not interested',
    run: (_, state) => ({
      state,
      say: 'Nothing is ordered. You may leave at any time; close the conversation if you do not need it any more.',
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

/** "Not sure what you mean", "what does that mean?", however it is put. */
const asksWhatIsMeant = /^.{0,30}\bwhat (?:do |does |did |is )?(?:you|that|this|it) ?(?:mean|meant)\b.{0,9}$/u;

/** The command that a message is, and the requirement that it names. */
export function commandIn(
  family: Family,
  state: State,
  asked: Question,
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
  // After "…. Right?" it is about what was guessed, whatever is asked next.
  if (said === 'no' && state.guessed.length > 0) return { name: 'back', label: null };
  if (said === 'no' && (asked === 'option' || !asked?.optional)) return { name: 'unknown', label: null };
  return isAnswer(strip(text)) && !asksWhatIsMeant.test(said) ? null : { name: 'unknown', label: null };
}

/** What a customer may choose instead of writing. */
export function suggestedReplies(
  family: Family,
  { notes }: State,
  asked: Question,
): { label: string; message: string }[] {
  const changes = notes.map(({ requirement }) => ({
    label: `Change: ${requirement}`,
    message: `Remove ${requirement}`,
  }));
  const offer = (...replies: string[]) => replies.map((reply) => ({ label: reply, message: reply }));
  if (asked === null) return [{ label: 'Show the brief', message: 'Summary' }, ...changes, ...offer('Start over')];
  const waysOut = offer('I do not know', 'The studio decides');
  if (asked === 'option') return [...offer(...family.options.map(({ name }) => name)), ...waysOut];
  return [...waysOut, ...offer('Skip'), ...changes.slice(-1), ...offer('Summary')];
}
