import { type GetPromptResult, type Prompt, ProtocolError } from '@modelcontextprotocol/server';

type Written = Prompt & { write(value: string): string };

const prompts: Written[] = [
  {
    name: 'order_work',
    title: 'Order work',
    description: 'From a goal to a created job.',
    arguments: [{ name: 'goal', description: 'What the work is to achieve.', required: true }],
    write: (goal) =>
      `Order work from the studio for this goal:\n\n${goal}\n\nChoose a service with get_catalog: read its index, then the service_family. Ask me for every intake requirement that the goal does not answer; invent none, and leave optional ones out. Write each as "label: answer" into customer_instructions and check the draft with check_intent, then with preflight_job. Show me the draft, and when I agree create the job once with create_job. Then follow it with wait_for_events, with the job_id, types, after and wait of the newest next_action. If that answers no event, call it again with its next_after as after, until the job is ready for review. If the studio asks a question, ask me, answer it with send_message, and wait as its next_action says.`,
  },
  {
    name: 'review_delivery',
    title: 'Review a delivery',
    description: 'Compare what was delivered with what was ordered.',
    arguments: [{ name: 'job_id', description: 'A job that is ready for customer review.', required: true }],
    write: (id) =>
      `Review the delivery of job ${id}. Read it with get_job and get each delivered file with get_download. Compare the files with customer_instructions, and after a revision with the comments of revision. Tell me what is met and what is missing. When I decide, call approve_job, or request_revision with exact instructions and comments on the files, both with the round of the delivery that you read.`,
  },
];

export const listPrompts = (): Prompt[] => prompts.map(({ write: _write, ...prompt }) => prompt);

export function getPrompt(name: string, args: Record<string, string> = {}): GetPromptResult {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(-32602, `There is no prompt ${name}.`);
  const argument = prompt.arguments?.[0]?.name ?? '';
  const value = args[argument];
  if (!value?.trim()) throw new ProtocolError(-32602, `The argument ${argument} is required.`);
  const content = { type: 'text' as const, text: prompt.write(value) };
  return { description: prompt.description ?? '', messages: [{ role: 'user', content }] };
}
