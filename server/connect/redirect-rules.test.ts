import { expect, test } from 'vitest';
import { redirectFault, redirectsFault } from './redirect-rules.ts';

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://vscode.dev/redirect',
  'https://127.evil.example/callback',
  'http://localhost:8787/callback',
  'http://127.0.0.1/',
  'http://127.0.0.1?next=x',
  'http://[::1]:3000/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://saoudrizwan.claude-dev/mcp-auth/callback/4f2c',
  'vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/4f2c',
  'windsurf://saoudrizwan.claude-dev/mcp-auth/callback/4f2c',
  'warp://mcp/oauth2callback',
  'raycast://oauth?package_name=Extension',
  'mcpjam://oauth/callback',
  'com.raycast:/oauth?package_name=Extension',
])('%s leads back to an app', (redirect) => {
  expect(redirectFault(redirect)).toBeNull();
});

test.each([
  'javascript:alert(1)',
  'JavaScript://cursor/%0aalert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  'about:blank',
  'mailto:ada@example.com',
  'intent://x#Intent;end',
  'ms-msdt:/id',
  'search-ms:query=x',
  'evil://anysphere.cursor-mcp/oauth/callback',
  'cursor:oauth',
  'cursor:///oauth',
  'cursor://user@anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback#x',
  'com.example.app://host/callback',
  'com.example.app:callback',
  'http://evil.example/callback',
  'http://localhost.evil.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'http://localhost./callback',
  'http://127.1/callback',
  'http://2130706433/callback',
  'http://localhost\\@evil.example/callback',
  'https://localhost/callback',
  'https://127.1/callback',
  'https://ada:secret@app.example/callback',
  'https://app.example/call back',
  'https://app.example/callback#',
  'https://app.example/\u202Ecallback',
  '/callback',
  '',
  `https://app.example/${'x'.repeat(500)}`,
  7,
  null,
])('%s does not', (redirect) => {
  expect(redirectFault(redirect)).not.toBeNull();
});

test('a list names the place of its first fault, and has 1 to 20 addresses', () => {
  const right = 'https://app.example/callback';
  expect(redirectsFault([right, right])).toBeNull();
  expect(redirectsFault([right, 'http://app.example/'])).toBe(
    'redirect_uris[1] must begin with https://, or with http:// on localhost or 127.0.0.1.',
  );
  for (const list of [[], Array(21).fill(right), undefined, right, { 0: right, length: 1 }])
    expect(redirectsFault(list)).toBe('redirect_uris must be a list of 1 to 20 addresses.');
});

test.each([
  ['cursor:oauth', 'must continue cursor: with // and a host'],
  ['com.example.app://host/callback', 'must have exactly one slash after com.example.app:'],
  ['evil://callback', expect.stringMatching(/^must not use the scheme evil:; allowed are https, .* cursor: /)],
  ['http://app.example/', 'must begin with https://, or with http:// on localhost or 127.0.0.1'],
])('of %s it says what to change', (redirect, fault) => {
  expect(redirectFault(redirect)).toEqual(fault);
});
