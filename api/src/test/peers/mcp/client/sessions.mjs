// Everything a client of the revisions with sessions can do, done with the official SDK.
// Usage: node sessions.mjs URL | node sessions.mjs -- COMMAND…
// Prints what came of it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  ELICITED,
  PROMPT_ARGUMENTS,
  ROOTS,
  SAMPLED,
  TOOLS_CHANGED,
  TOOL_ARGUMENTS,
  Transcript,
  UPDATED,
  WATCHED,
  allPages,
} from './transcript.mjs';

/** Tools that have a step of their own. */
const APART = ['wait', 'test_reconnection', 'test_tool_with_progress', 'add_tool'];

const transcript = new Transcript();
const step = (name, act) => transcript.step(name, act);

const [first, ...command] = process.argv.slice(2);
const isHttp = first !== '--';
const transport = transcript.watch(
  isHttp
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'inherit' }),
);

const client = new Client(
  { name: 'scripted', version: '1.0.0' },
  { capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } } },
);
client.fallbackNotificationHandler = async ({ method, params }) =>
  transcript.note({ method, params });

const answer = (schema, result) =>
  client.setRequestHandler(schema, ({ method, params }) => {
    transcript.note({ method, params });
    return result;
  });
answer(CreateMessageRequestSchema, SAMPLED);
answer(ElicitRequestSchema, ELICITED);
answer(ListRootsRequestSchema, ROOTS);

await step('connect', async () => {
  await client.connect(transport);
  return {
    version: transport.protocolVersion,
    hasSession: transport.sessionId !== undefined,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
});
await step('ping', () => client.ping());

const tools = await step('list tools', () =>
  allPages((cursor) => client.listTools({ cursor }), 'tools'),
);
const resources = await step('list resources', () =>
  allPages((cursor) => client.listResources({ cursor }), 'resources'),
);
await step('list templates', () =>
  allPages((cursor) => client.listResourceTemplates({ cursor }), 'resourceTemplates'),
);
const prompts = await step('list prompts', () =>
  allPages((cursor) => client.listPrompts({ cursor }), 'prompts'),
);

const call = (name, options = {}) =>
  client.callTool({ name, arguments: TOOL_ARGUMENTS[name] ?? {} }, undefined, options);

for (const { name } of tools ?? []) {
  if (!APART.includes(name)) {
    await step(`call ${name}`, () => call(name));
  }
}
await step('call a tool that is not there', () => call('no_such_tool'));
await step('call with progress', async () => {
  const onprogress = () => {}; // asks for progress, which the transcript notes
  const result = await call('test_tool_with_progress', { onprogress });
  await transcript.noted('progress', 3);
  return result;
});

for (const { uri } of resources ?? []) {
  await step(`read ${uri}`, () => client.readResource({ uri }));
}
await step('read by a template', () => client.readResource({ uri: 'test://template/17/data' }));
await step('read what is not there', () => client.readResource({ uri: 'test://nowhere' }));

await step('subscribe', () => client.subscribeResource({ uri: WATCHED }));
await step('touch what is watched', async () => {
  const result = await call('touch_resource');
  await transcript.noted(UPDATED);
  return result;
});
await step('unsubscribe', () => client.unsubscribeResource({ uri: WATCHED }));
await step('touch what is watched no longer', () => call('touch_resource'));

for (const { name } of prompts ?? []) {
  await step(`get ${name}`, () =>
    client.getPrompt({ name, arguments: PROMPT_ARGUMENTS[name] ?? {} }),
  );
}
await step('get what is not there', () => client.getPrompt({ name: 'no_such_prompt' }));

const complete = (ref, name) => client.complete({ ref, argument: { name, value: 'pa' } });
await step('complete an argument of a prompt', () =>
  complete({ type: 'ref/prompt', name: 'test_prompt_with_arguments' }, 'arg1'),
);
await step('complete a part of a template', () =>
  complete({ type: 'ref/resource', uri: 'test://template/{id}/data' }, 'id'),
);

await step('set the level', () => client.setLoggingLevel('warning'));
await step('log at every level', async () => {
  const result = await call('log_at_every_level');
  await transcript.noted('notifications/message', 5);
  return result;
});

await step('cancel', () => {
  const cancelling = new AbortController();
  const onprogress = () => cancelling.abort('enough');
  return call('wait', { onprogress, signal: cancelling.signal });
});
await step('go on after cancelling', () => call('test_simple_text'));

await step('add a tool', async () => {
  const result = await call('add_tool');
  await transcript.noted(TOOLS_CHANGED);
  return result;
});
await step('list tools again', () =>
  allPages((cursor) => client.listTools({ cursor }), 'tools'),
);
await step('call what was added', () => call('extra_1'));
await step('tell that the roots changed', () => client.sendRootsListChanged());

await step('lose the connection and get the answer', () => call('test_reconnection'));

if (isHttp) {
  const session = transport.sessionId;
  await step('end the session', () => transport.terminateSession());
  await step('ask in the session that ended', async () => {
    const { status } = await fetch(first, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session ?? 'none',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'late', method: 'ping' }),
    });
    return { status };
  });
}
await client.close();
transcript.print();
