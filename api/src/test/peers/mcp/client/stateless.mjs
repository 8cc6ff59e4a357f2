// Everything a client of the revision without sessions can do, done with the official SDK.
// Usage: node stateless.mjs URL
// Prints what came of it.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
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
} from './transcript.mjs';

/** Tools that have a step of their own, and two that ask for ever whoever knows no tasks. */
const APART = [
  'wait',
  'test_tool_with_progress',
  'test_missing_capability',
  'test_input_required_result_capabilities',
  'test_tool_with_task',
];

const PROMPTS_CHANGED = 'notifications/prompts/list_changed';

const transcript = new Transcript();
const step = (name, act) => transcript.step(name, act);

const url = new URL(process.argv[2]);
const begin = async (capabilities) => {
  const client = new Client(
    { name: 'scripted', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.fallbackNotificationHandler = async ({ method, params }) =>
    transcript.note({ method, params });
  await client.connect(transcript.watch(new StreamableHTTPClientTransport(url)));
  return client;
};

const client = await begin({ sampling: {}, elicitation: { form: {} }, roots: {} });
const answer = (method, result) =>
  client.setRequestHandler(method, ({ params }) => {
    transcript.note({ method, params });
    return result;
  });
answer('sampling/createMessage', SAMPLED);
answer('elicitation/create', ELICITED);
answer('roots/list', ROOTS);

await step('discover', () => client.getDiscoverResult());

const tools = await step('list tools', async () => (await client.listTools()).tools);
const resources = await step(
  'list resources',
  async () => (await client.listResources()).resources,
);
await step(
  'list templates',
  async () => (await client.listResourceTemplates()).resourceTemplates,
);
const prompts = await step('list prompts', async () => (await client.listPrompts()).prompts);

const call = (name, options = {}) =>
  client.callTool({ name, arguments: TOOL_ARGUMENTS[name] ?? {} }, options);

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
await step('call without what it takes', async () => {
  const poor = await begin({});
  return poor.callTool({ name: 'test_missing_capability', arguments: {} });
});

for (const { uri } of resources ?? []) {
  await step(`read ${uri}`, () => client.readResource({ uri }));
}
await step('read by a template', () => client.readResource({ uri: 'test://template/17/data' }));
await step('read what is not there', () => client.readResource({ uri: 'test://nowhere' }));

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

const noted = (method) =>
  client.setNotificationHandler(method, async ({ params }) => {
    const { _meta, ...rest } = params ?? {};
    transcript.note({ method, params: rest, isTagged: _meta !== undefined });
  });
[UPDATED, TOOLS_CHANGED, PROMPTS_CHANGED].forEach(noted);
await step('listen', async () => {
  const listening = await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: [WATCHED],
  });
  for (const [tool, method] of [
    ['touch_resource', UPDATED],
    ['test_trigger_tool_change', TOOLS_CHANGED],
    ['test_trigger_prompt_change', PROMPTS_CHANGED],
  ]) {
    await call(tool);
    await transcript.noted(method);
  }
  await listening.close();
  return { honored: listening.honoredFilter, closed: await listening.closed };
});

await step('cancel', () => {
  const cancelling = new AbortController();
  const onprogress = () => cancelling.abort('enough');
  return call('wait', { onprogress, signal: cancelling.signal });
});
await step('go on after cancelling', () => call('test_simple_text'));

await client.close();
transcript.print();
