import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';
import { version } from '../server/lib/version.ts';
import { listTools } from '../server/mcp/tools.ts';

/** Tokens that a tool may cost in the list, and with the schema of its answer: about a fifth more than it does. */
const budgets: Record<string, [short: number, withOutput: number]> = {
  check_intent: [210, 400],
  list_plans: [150, 550],
  get_catalog: [150, 1_400],
  get_account: [100, 800],
  get_usage: [210, 1_400],
  approve_job: [180, 1_950],
  cancel_job: [140, 1_900],
  create_job: [430, 600],
  list_jobs: [370, 1_250],
  preflight_job: [270, 1_350],
  get_job: [180, 3_300],
  update_job: [240, 1_900],
  request_revision: [360, 2_100],
  list_messages: [150, 650],
  send_message: [220, 600],
  wait_for_events: [490, 1_000],
  complete_upload: [120, 550],
  get_download: [170, 400],
  create_text_file: [240, 700],
  create_upload: [350, 1_050],
  send_intake_message: [190, 1_650],
  answer_brief: [210, 1_650],
  confirm_brief: [220, 1_800],
  open_intake: [260, 1_700],
  read_intake: [100, 1_550],
};

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;
const tools = [false, true].map((withOutput) => listTools({ readOnly: false, withOutput }));

test.each(tools[0]!.map(({ name }) => name))('%s costs no more than its budget', (name) => {
  const [short, long] = tools.map((list) => tokensOf(list.find((tool) => tool.name === name)));
  const [most = 0, mostWithOutput = 0] = budgets[name] ?? [];
  expect(short).toBeLessThanOrEqual(most);
  expect(long).toBeLessThanOrEqual(mostWithOutput);
});

test('each budget is that of a tool', () => {
  expect(Object.keys(budgets).toSorted()).toEqual(tools[0]!.map(({ name }) => name).toSorted());
});

test('the document for customers costs at most 56,000 tokens', () => {
  const document = JSON.stringify(openapi('http://localhost:3000', { release: version, audience: 'customer' }));
  expect(encode(document).length).toBeLessThanOrEqual(56_000);
});
