import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { listTools } from '../server/mcp/tools.ts';

test('the list of tools costs at most 4,500 tokens, with the schemas of the answers 25,000', () => {
  const cost = (withOutput: boolean) =>
    encode(JSON.stringify({ tools: listTools({ readOnly: false, withOutput }) })).length;
  expect(cost(false)).toBeLessThanOrEqual(4_500);
  expect(cost(true)).toBeLessThanOrEqual(25_000);
});
