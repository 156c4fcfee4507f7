import { expect } from 'vitest';
import type { ToolAnswer } from '../test/support/mcp.ts';

type Call = (tool: string, args: object) => Promise<ToolAnswer['body']>;

/** Calls as `next_action` says, and again with `next_after` where no event came. */
export async function followNextAction(call: Call, nextAction: string) {
  const [, words = ''] = /wait_for_events \(([^)]+)\)/.exec(nextAction) ?? [];
  const { after, ...fields } = Object.fromEntries(words.split(', ').map((word) => word.split('=')));
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(['job_id', 'types', 'wait']));
  for (let from = after; ;) {
    const page = await call('wait_for_events', { ...fields, ...(from ? { after: Number(from) } : {}) });
    expect(page.events.length).toBeLessThanOrEqual(1);
    if (page.events.length > 0) return page.events[0];
    from = page.next_after;
  }
}
