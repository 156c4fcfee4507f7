import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFile } from '../../test/support/files.ts';
import { allAnswers, openSession, say, tryOpen } from '../../test/support/intake.ts';
import { createStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { commands } from './commands.ts';

let studio: Studio;
let key: string;
beforeAll(async () => {
  studio = await createStudio();
  ({ key } = await newCustomer(studio.service));
});
afterAll(() => studio.service.close());

const logo = { service_family: 'design', service_type: 'logo' };
const labels = ['Brand name', 'Target audience', 'Style preferences', 'Where it will be used', 'Existing brand assets'];
const everything = ['Rise Bakery', 'families nearby', 'warm', 'signs', 'none'];

/** The last answer of a conversation in which this was said, one after the other. */
async function talk(open: object, ...says: string[]) {
  const { service } = studio;
  const session = await openSession(service, key, open);
  let last = { session, message: session.messages.at(-1) };
  for (const content of says) {
    const { status, body } = await say(service, key, session.id, content);
    expect(status).toBe(201);
    last = { session: body.intake_session, message: body.message };
  }
  await service.call('POST', `/api/v1/intake/sessions/${session.id}/close`, { as: key });
  return { ...last, reply: last.message.content as string };
}

describe('the plain conversation', () => {
  test('asks for one thing at a time, echoes each answer, and proposes a brief', async () => {
    const asked = [];
    const { service } = studio;
    const { id } = await openSession(service, key, logo);
    for (const content of everything) asked.push((await say(service, key, id, content)).body.message);
    expect(asked.map(({ content }) => content.split(/[.]\n\n|\n\n/)[0])).toEqual(
      everything.map((answer, i) => `${labels[i]}: ${answer}${i < 4 ? '' : '.'}`.replace(/\.$/, '')),
    );
    expect(asked.map(({ understood }) => understood)).toEqual(
      everything.map((answer, i) => [{ requirement: labels[i], answer }]),
    );
    expect(asked[0].content).toContain('Who is the target audience?');
    expect(asked[4].content).toContain('Here is your brief, version 1');
  });

  test('its suggested replies lead to a brief', async () => {
    const { service } = studio;
    let session = await openSession(service, key, { service_family: 'design' });
    const sent = [];
    for (const label of ['Logo', 'Skip', 'The studio decides', 'I do not know', 'Skip', 'Skip', 'Skip']) {
      const reply = session.suggested_replies.find((one: { label: string }) => one.label === label);
      sent.push(reply.message);
      ({ intake_session: session } = (await say(service, key, session.id, reply.message)).body);
      if (session.status === 'brief_ready') break;
    }
    expect(session.status).toBe('brief_ready');
    expect(sent).toHaveLength(7);
    expect(session.intent_brief.customer_instructions).toBe(
      [
        'Brand name: open (the customer has not answered)',
        'Target audience: to be decided (the customer leaves it to the studio)',
        'Style preferences: open (the customer has not answered)',
        'Where it will be used: open (the customer has not answered)',
        'Existing brand assets: open (the customer has not answered)',
      ].join('\n'),
    );
    expect(session.missing_intake_requirements).toEqual(labels);
  });

  test('every family of the catalog ends in a brief when its examples are sent', async () => {
    for (const family of studio.service.context.catalog.families.values()) {
      const { session } = await talk({ service_family: family.id }, family.options[0]!.name, allAnswers(family));
      expect(session, family.id).toMatchObject({ status: 'brief_ready', missing_intake_requirements: [] });
    }
  });
});

describe('several answers at once', () => {
  const three = [
    { requirement: 'Brand name', answer: 'Rise' },
    { requirement: 'Target audience', answer: 'families' },
    { requirement: 'Style preferences', answer: 'warm' },
  ];
  test.each([
    ['labels', 'Name: Rise\nAudience: families\nStyle: warm'],
    ['a numbered list', '1. Rise\n2) families\n3. warm'],
    ['a list after a greeting', 'Hello!\n\n- **Brand**: Rise\n- Target group – families\n- style: warm'],
    ['one line', 'Brand: Rise; audience: families; style: warm'],
  ])('%s', async (_, content) => {
    const { message, session } = await talk(logo, content);
    expect(message.understood).toEqual(three);
    expect(session.missing_intake_requirements).toEqual(labels.slice(3));
  });

  test('a sentence beside the answer to what was asked', async () => {
    const { message } = await talk(logo, 'Rise', 'parents on a budget, and the style should be pastel');
    expect(message.understood).toEqual([
      { requirement: 'Style preferences', answer: 'pastel' },
      { requirement: 'Target audience', answer: 'parents on a budget' },
    ]);
  });

  test('points of one answer stay one answer', async () => {
    const article = { service_family: 'writing', service_type: 'blog_article' };
    const { message } = await talk(
      article,
      'bread',
      'bakers',
      'plain',
      '800 words',
      '1. feeding\n2. storage\n3. a recipe',
    );
    expect(message.understood).toEqual([{ requirement: 'Key points', answer: '1. feeding; 2. storage; 3. a recipe' }]);
  });
});

describe('commands', () => {
  const said = {
    skip: () => talk(logo, 'skip'),
    skipRest: () => talk(logo, 'Rise', 'skip the rest'),
    unknown: () => talk(logo, 'I don’t know'),
    decide: () => talk(logo, 'You decide, please.'),
    back: () => talk(logo, 'Rise', 'families', 'go back'),
    restart: () => talk(logo, 'Rise', 'start over'),
    summary: () => talk(logo, 'Rise', 'Show me the brief'),
    help: () => talk(logo, 'HELP'),
    confirm: () => talk(logo, ...everything, 'Confirm!'),
    greet: () => talk(logo, 'hello'),
    leave: () => talk(logo, 'cancel'),
  } satisfies Record<keyof typeof commands, () => ReturnType<typeof talk>>;
  const answered: Record<keyof typeof commands, RegExp> = {
    skip: /^Brand name stays open\.\n\nWho is the target audience/,
    skipRest: /^The rest stays open\.\n\nHere is your brief/,
    unknown: /^What is the brand name\?.*“you decide”.*“skip”/s,
    decide: /^The studio decides on Brand name\.\n\nWho is the target audience/,
    back: /^I removed: Target audience\.\n\nWho is the target audience/,
    restart: /^Let’s start again.*Which of these do you need: Logo/s,
    summary: /^So far I have:\nBrand name: Rise\n\nWho is the target audience/,
    help: /^I collect what the studio needs to know.*What is the brand name/s,
    confirm: /^Nothing is ordered until you confirm the brief.*now version 2, is ready/s,
    greet: /^What is the brand name\? For example/,
    leave: /^Nothing is ordered\..*What is the brand name/s,
  };
  test.each(Object.keys(commands) as (keyof typeof commands)[])('%s', async (name) => {
    const { reply, message, session } = await said[name]();
    expect(reply).toMatch(answered[name]);
    expect(message.understood).toEqual([]);
    expect(session.job_id).toBeNull();
  });

  test('"I do not know" twice leaves it open; what may stay open does at once', async () => {
    const { reply } = await talk(logo, 'no idea', 'no idea', 'families', 'warm', 'signs', 'TBD');
    expect(reply).toMatch(/^Existing brand assets stays open\..*Left open: Brand name, Existing brand assets/s);
  });

  test('at the first question: what each option needs, or the studio decides and the brief says so', async () => {
    const { reply } = await talk({ service_family: 'design' }, 'I do not know');
    expect(reply).toMatch(
      /1\. Logo: .*3 days.*4\. Image cut-outs.*studio needs to know for each: Brand name.*“the studio decides”/s,
    );
    const { session } = await talk({ service_family: 'design' }, 'the studio decides', ...everything);
    expect(session.service_type).toBe('logo');
    expect(session.intent_brief.customer_instructions).toMatch(/^The customer leaves it to the studio whether Logo or/);
  });

  test('"skip" at the first question shows the choices, and twice asks for the option at the end', async () => {
    const open = { service_family: 'design' };
    expect((await talk(open, 'skip')).reply).toMatch(/^Which of these.*1\. Logo.*“the studio decides”/s);
    expect((await talk(open, 'skip', 'the second one, please')).session.service_type).toBe('landing_page');
    expect((await talk(open, 'skip', '3.')).session.service_type).toBe('social_set');
    const { reply } = await talk(open, 'skip', 'skip');
    expect(reply).toMatch(/^I’ll ask again later\.\n\nWhat is the brand name/);
    const { reply: last } = await talk(open, 'skip', 'skip', ...everything, 'skip');
    expect(last).toMatch(/^Which of these do you need\? .*“the studio decides”/s);
  });

  test('"go back" takes a skip back, too', async () => {
    expect((await talk(logo, 'skip', 'go back')).reply).toMatch(/^I removed: Brand name\.\n\nWhat is the brand/);
  });

  test.each(['remove the audience', 'Change Target audience', 'forget our audience, please'])('%s', async (content) => {
    const { session, reply } = await talk(logo, ...everything, content);
    expect(reply).toMatch(/^I removed: Target audience\.\n\nWho is the target audience/);
    expect(session).toMatchObject({ status: 'open', intent_brief: null });
  });

  test('start over forgets answers, own words and files, and keeps the messages', async () => {
    const { service } = studio;
    const file = await newFile(service, key, Buffer.from('hello'));
    const { session } = await talk(
      { service_family: 'design', message: 'A logo for the shop by the lake' },
      `Rise, see ${file.id}`,
      'start over',
      'social media set',
      ...everything,
    );
    expect(session.intent_brief).toMatchObject({ service_type: 'social_set', file_ids: [] });
    expect(session.intent_brief.customer_instructions).not.toMatch(/lake|see file_/);
    expect(session.messages[0].content).toContain('lake');
  });
});

describe('what is said beside the question goes along, and the question stands', () => {
  test.each([
    'we need it by Friday',
    'our deadline is 12 May by the way',
    'must be done before the audit next week',
    "It's urgent!!",
    'as soon as possible, please',
  ])('%s', async (content) => {
    const { message, reply, session } = await talk(logo, content, ...everything);
    expect(message.understood).toEqual([{ requirement: 'Existing brand assets', answer: 'none' }]);
    expect(reply).toContain('Brand name: Rise Bakery');
    expect(session.intent_brief.customer_instructions).toContain(`- ${content}`);
  });

  test.each(['not sure what you mean', 'What does that mean?'])('%s', async (content) => {
    const { reply, message } = await talk(logo, content);
    expect(reply).toMatch(/^What is the brand name\?.*“you decide”.*“skip”/s);
    expect(message.understood).toEqual([]);
  });

  test.each([
    ['Why we open before sunrise', 'Main topic'],
    ['before seven, like our bread', 'Main topic'],
    ['a sale on Saturday mornings', 'Main topic'],
  ])('a time in an answer: %s', async (content, requirement) => {
    const { message } = await talk({ service_family: 'writing', service_type: 'blog_article' }, content);
    expect(message.understood).toEqual([{ requirement, answer: content }]);
  });
});

describe('a wrong reading is corrected with one reply', () => {
  test('a correction goes to the answer that it looks like', async () => {
    const labelling = { service_family: 'data', service_type: 'dataset_labeling' };
    const { message } = await talk(labelling, 'a CSV file', '150 records', 'a table', 'actually it is 180 records');
    expect(message.understood).toEqual([{ requirement: 'Size of the data', answer: 'it is 180 records' }]);
  });

  test.each([
    ['by its label', 'Brand name: Rise'],
    ['in a sentence', 'Actually the brand is Rise'],
    ['as a correction of the last', 'no, Rise'],
  ])('%s', async (_, content) => {
    const { message, reply } = await talk(logo, 'we sell bread', content);
    expect(message.understood).toEqual([{ requirement: 'Brand name', answer: 'Rise' }]);
    expect(reply).toContain('Who is the target audience?');
  });

  test('a guess is put as a question, and "no" takes it out', async () => {
    const open = { service_family: 'design', message: 'A logo. We sell to cat owners.' };
    expect((await talk(open)).reply).toContain('Target audience: We sell to cat owners. Right?');
    const { reply, session } = await talk(open, 'no');
    expect(reply).toMatch(/^I removed: Target audience\./);
    expect(session.missing_intake_requirements).toEqual(labels);
    const all = {
      service_family: 'writing',
      message:
        'An article about trains, 900 words, for people who fly. Friendly tone. It should cover booking and prices.',
    };
    expect((await talk(all, 'no')).reply).toMatch(/^I removed: Main topic, /);
  });

  test('after the brief, also its option', async () => {
    const { session } = await talk(logo, ...everything, 'sorry, the audience is students', 'Service: landing page');
    expect(session.intent_brief).toMatchObject({ version: 3, service_type: 'landing_page' });
    expect(session.intent_brief.answered_requirements).toContainEqual({
      requirement: 'Target audience',
      answer: 'students',
    });
  });

  test('what says nothing new of a requirement goes into the brief word for word', async () => {
    const { session } = await talk(logo, ...everything, 'The sign is two metres wide,\nand lit.');
    expect(session.intent_brief.customer_instructions).toContain(
      'In the customer’s own words:\n- The sign is two metres wide,\n  and lit.',
    );
  });
});

describe('the opening sentence answers no question: none was asked', () => {
  const placeholder = 'We are opening a bakery on Mill Road in March and need a logo.';

  test('it is kept word for word, and the first question is asked as if for the first time', async () => {
    const { reply, message, session } = await talk({ ...logo, message: placeholder });
    expect(message.understood).toEqual([]);
    expect(session.missing_intake_requirements).toEqual(labels);
    expect(reply).toMatch(
      /^Hello! I’ll pass that on to the studio as you wrote it\.\n\nWhat is the brand name\? The name/,
    );
    const { session: ready } = await talk({ ...logo, message: placeholder }, ...everything);
    expect(ready.intent_brief.customer_title).toBe('Logo: Rise Bakery');
    expect(ready.intent_brief.customer_instructions).toContain(`In the customer’s own words:\n- ${placeholder}`);
  });

  test('the title holds nothing of an answer that nobody sees', async () => {
    const [, ...others] = everything;
    const { session: ready } = await talk(logo, 'Rise\u202e Ba\u200bke\u2066ry\u{e0041}', ...others);
    expect(ready.intent_brief.customer_title).toBe('Logo: Rise Bakery');
  });

  test.each([
    'We open a bakery called Rise Bakery on Mill Road and need a logo.',
    'A logo, please. It is called “Rise Bakery” and opens in March.',
    'Our bakery is named Rise Bakery. We need a logo.',
    'Our name is Rise Bakery. We need a logo.',
  ])('a name that is told in it is taken alone: %s', async (content) => {
    const { message, reply, session } = await talk({ ...logo, message: content });
    expect(message.understood).toEqual([{ requirement: 'Brand name', answer: 'Rise Bakery' }]);
    expect(reply).toContain('Who is the target audience?');
    expect(session.missing_intake_requirements).toEqual(labels.slice(1));
  });

  test('a topic that is told in it is taken', async () => {
    const article = { service_family: 'writing', service_type: 'blog_article' };
    const { message } = await talk({ ...article, message: 'We need an article about sourdough for home bakers.' });
    expect(message.understood).toContainEqual({
      requirement: 'Main topic',
      answer: 'We need an article about sourdough for home bakers',
    });
  });

  test('labels in it are answers, and a command in it is one', async () => {
    const { message } = await talk({ ...logo, message: 'Hello, a logo please.\nAudience: families' });
    expect(message.understood).toEqual([{ requirement: 'Target audience', answer: 'families' }]);
    const { reply } = await talk({ ...logo, message: 'you decide' });
    expect(reply).toMatch(/^Hello! The studio decides on Brand name\./);
  });
});

describe('a name', () => {
  test.each([
    'It is called Rise Bakery.',
    'We’re called Rise Bakery',
    'our bakery is called Rise Bakery',
    'It’s named “Rise Bakery”',
  ])('corrects the one that was noted, whatever is asked: %s', async (content) => {
    const name = [{ requirement: 'Brand name', answer: 'Rise Bakery' }];
    const { message, reply } = await talk(logo, 'we sell bread', content);
    expect(message.understood).toEqual(name);
    expect(reply).toContain('Who is the target audience?');
    const { session } = await talk(logo, 'we sell bread', ...everything.slice(1), content);
    expect(session.intent_brief.answered_requirements[0]).toEqual(name[0]);
    expect(session.intent_brief.customer_title).toBe('Logo: Rise Bakery');
  });

  test('is taken out of the sentence that answers the question for it', async () => {
    const { message } = await talk(logo, 'We are a bakery called House of Bread & Sons on Mill Road');
    expect(message.understood).toEqual([{ requirement: 'Brand name', answer: 'House of Bread & Sons' }]);
    const { message: former } = await talk(logo, 'The Bread Room (formerly called Dawn)');
    expect(former.understood[0].answer).toBe('The Bread Room (formerly called Dawn)');
  });

  test('of something else answers what was asked', async () => {
    const { message } = await talk(logo, ...everything.slice(0, 4), 'our font is called Inter');
    expect(message.understood).toEqual([{ requirement: 'Existing brand assets', answer: 'our font is called Inter' }]);
  });
});

describe('questions', () => {
  test.each([
    ['how much does it cost?', /one job of your plan\. Solo: 5 jobs, \$49\.00 per month/],
    ['How long will it take?', /Logo: first delivery is planned within 3 days of the order/],
    ['how many revisions are included?', /with 3 rounds of changes included/],
    ['who checks the work?', /the studio reviews the work first, and you have 5 days/],
    ['Can I upload a file?', /write its id here/],
    ['are you a bot?', /automatic concierge/],
  ])('%s', async (content, answer) => {
    const { reply, message } = await talk(logo, content);
    expect(reply).toMatch(answer);
    expect(reply).toContain('What is the brand name?');
    expect(message.understood).toEqual([]);
  });

  test('one that the catalog does not answer goes along to the studio', async () => {
    const { reply, session } = await talk(logo, 'Can you use Comic Sans?', ...everything);
    expect(reply).toContain('Here is your brief');
    expect(session.intent_brief.customer_instructions).toContain('- Can you use Comic Sans?');
  });

  test('where a question is asked for, a question is the answer', async () => {
    const research = { service_family: 'research', service_type: 'market_overview' };
    const { message } = await talk(research, 'What do people in Leeds pay for bread?');
    expect(message.understood).toHaveLength(1);
    expect((await talk(research, 'what does it cost?')).message.understood).toEqual([]);
  });
});

test('a file that is named goes along, and answers where material is asked for', async () => {
  const { service } = studio;
  const { id, file_name } = await newFile(service, key, Buffer.from('hello'));
  const early = await talk(logo, `Here: ${id}`);
  expect(early.reply).toMatch(new RegExp(`^I’ll attach to the brief: ${file_name}\\.\n\nWhat is the brand name`));
  const { session, message } = await talk(logo, ...everything.slice(0, 4), id);
  expect(message.understood).toEqual([{ requirement: 'Existing brand assets', answer: file_name }]);
  expect(session.intent_brief.file_ids).toEqual([id]);
  const { message: within } = await talk(logo, ...everything.slice(0, 4), `our old logo, ${id}`);
  expect(within.understood).toEqual([{ requirement: 'Existing brand assets', answer: `our old logo, ${file_name}` }]);
});

describe('somebody who never answers', () => {
  test('is offered the choices after the second miss, and after the third something else is asked', async () => {
    const { reply: second } = await talk({ service_family: 'design' }, 'hello', 'my cat is asleep');
    expect(second).toMatch(/1\. Logo.*“the studio decides”/s);
    const { reply: third } = await talk({ service_family: 'design' }, 'hello', 'my cat is asleep', 'hello');
    expect(third).toMatch(/I’ll ask again later\.\n\nWhat is the brand name/);
    const { reply } = await talk(logo, 'ok', 'is it raining?');
    expect(reply).toMatch(/What is the brand name\?.*“you decide”.*“skip”/s);
    expect((await talk(logo, 'ok', 'ok', 'ok')).reply).toMatch(/^Brand name stays open\.\n\nWho is the target/);
  });

  test('comes to the option in the end, and never to a brief without one', async () => {
    const { reply, session } = await talk({ service_family: 'design' }, 'ok', 'ok', 'ok', ...everything);
    expect(reply).toContain('Which of these do you need');
    expect(session).toMatchObject({ status: 'open', service_type: null, missing_intake_requirements: [] });
  });
});

test('an option that the catalog no longer has is asked for again', async () => {
  const { service } = studio;
  const { body } = await tryOpen(service, key, logo);
  const { options } = service.context.catalog.families.get('design')!;
  const [first] = options.splice(0, 1);
  const { body: asked } = await say(service, key, body.intake_session.id, 'Rise');
  options.unshift(first!);
  expect(asked.intake_session).toMatchObject({ status: 'open', service_type: null });
  expect(asked.message.content).toContain('Which of these do you need');
});
