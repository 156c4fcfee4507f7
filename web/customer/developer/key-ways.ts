import { curl } from '../../ui/page/curl.ts';
import type { Way } from '../../ui/dialog/key-once.tsx';

/** Ways to use a new key, ready for pasting. */
export const keyWays = (): Way[] => [
  { label: 'curl', text: curl({ path: '/api/v1/me' }) },
  { label: 'MCP client', text: mcpConfiguration() },
  {
    label: 'Terminal',
    text: `# atelier, from a checkout: npm pack ./client && npm install -g ./atelier-client-*.tgz
atelier login --url ${location.origin} <<< "$ATELIER_KEY"
atelier catalog`,
  },
];

const mcpConfiguration = () =>
  JSON.stringify(
    {
      mcpServers: {
        atelier: {
          type: 'http',
          url: `${location.origin}/mcp`,
          headers: { Authorization: 'Bearer $ATELIER_KEY' },
        },
      },
    },
    null,
    2,
  );
