// What a client can do with the reference server that has everything, `@modelcontextprotocol/server-everything`.
// Usage: node everything.mjs -- COMMAND…
// Prints what came of it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ROOTS, SAMPLED, Transcript, allPages } from './transcript.mjs';

/** The tools that answer the same each time, and what they are called with. */
const TOOLS = {
  echo: { message: 'hello ü' },
  'get-annotated-message': { messageType: 'error', includeImage: true },
  'get-resource-links': { count: 2 },
  'get-structured-content': { location: 'Chicago' },
  'get-sum': { a: 2, b: 40 },
  'get-tiny-image': {},
  'get-roots-list': {},
  'trigger-sampling-request': { prompt: 'say something', maxTokens: 10 },
  'trigger-elicitation-request': {},
};

const PROMPTS = {
  'simple-prompt': {},
  'args-prompt': { city: 'Oslo', state: 'none' },
  'completable-prompt': { department: 'Engineering', name: 'Alice' },
};

const transcript = new Transcript();
const step = (name, act) => transcript.step(name, act);

const [command, ...args] = process.argv.slice(3);
const client = new Client(
  { name: 'scripted', version: '1.0.0' },
  { capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} } },
);
const answer = (schema, result) =>
  client.setRequestHandler(schema, ({ method }) => {
    transcript.note({ method });
    return result;
  });
answer(CreateMessageRequestSchema, SAMPLED);
answer(ElicitRequestSchema, { action: 'decline' });
// this server asks for roots some time after the introduction, whatever step that is in
client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);

await step('connect', async () => {
  await client.connect(
    transcript.watch(new StdioClientTransport({ command, args, stderr: 'ignore' })),
  );
  return { server: client.getServerVersion(), capabilities: client.getServerCapabilities() };
});
await step('list tools', () => allPages((cursor) => client.listTools({ cursor }), 'tools'));
const resources = await step('list resources', () =>
  allPages((cursor) => client.listResources({ cursor }), 'resources'),
);
await step('list templates', () =>
  allPages((cursor) => client.listResourceTemplates({ cursor }), 'resourceTemplates'),
);
await step('list prompts', () => allPages((cursor) => client.listPrompts({ cursor }), 'prompts'));

for (const [name, given] of Object.entries(TOOLS)) {
  await step(`call ${name}`, () => client.callTool({ name, arguments: given }));
}
await step('call with wrong arguments', () => client.callTool({ name: 'get-sum', arguments: {} }));
await step('call with progress', async () => {
  const onprogress = () => {}; // asks for progress, which the transcript notes
  return client.callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } },
    undefined,
    { onprogress },
  );
});
await step('call as a task', async () => {
  const { tasks } = client.experimental;
  const given = { name: 'simulate-research-query', arguments: { topic: 'gates' } };
  for await (const { type, task, result } of tasks.callToolStream(given, CallToolResultSchema)) {
    if (type === 'taskCreated') {
      transcript.note({ method: type, status: task.status });
    } else if (type === 'result') {
      return { contents: result.content.length };
    } else if (type === 'error') {
      return { type };
    }
  }
  return undefined;
});
for (const { uri } of resources ?? []) {
  await step(`read ${uri}`, () => client.readResource({ uri }));
}
for (const [name, given] of Object.entries(PROMPTS)) {
  await step(`get ${name}`, () => client.getPrompt({ name, arguments: given }));
}
await step('complete', () =>
  client.complete({
    ref: { type: 'ref/prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'E' },
  }),
);
await client.close();
transcript.print();
