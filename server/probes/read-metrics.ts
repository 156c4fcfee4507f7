import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMetrics as endpoint } from '../../contract/probes.ts';
import type { Metrics } from '../lib/metrics.ts';

export async function readMetrics({ metrics }: { metrics: Metrics }): Promise<AnswerOf<typeof endpoint>> {
  const { type, text } = await metrics.read();
  return { status: 200, body: text, headers: { 'content-type': type } };
}
